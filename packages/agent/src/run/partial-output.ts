import { JSONParser, type ParsedElementInfo } from "@streamparser/json";
import type { Delta } from "@suite/core";

/**
 * Reads the structured output of a run while it is said: objects and lists as far as they have come, their last text cut off
 * where it is. Text that is not JSON gives nothing: what a model says beside tool calls, say.
 */
export class PartialOutput {
  #json = new GrowingJson();
  /** The round that speaks: the next one begins anew, since the last one that speaks has the answer. */
  #round = "";

  /** The value so far, where this piece has made it grow enough to be told. */
  read(delta: Delta): { readonly value: unknown } | undefined {
    if (delta.type !== "part" || delta.part.type !== "text") return undefined;
    const round = delta.at.split(".", 1)[0] as string;
    if (round !== this.#round) {
      this.#round = round;
      this.#json = new GrowingJson();
    }
    return this.#json.write(delta.part.content);
  }
}

/** The share by which a text grows before its value is told again: values of all lengths would cost the square of it. */
const STEP = 1 / 64;

/** A JSON value that is read as it comes. */
class GrowingJson {
  readonly #parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
  #root: unknown;
  /** The last text, which goes on: not yet in the object that it belongs to. */
  #last: { readonly parent: object; readonly key: string | number; readonly value: string } | undefined;
  #length = 0;
  #toldAt = 0;
  #broken = false;
  #complete = false;

  constructor() {
    this.#parser.onValue = (info) => this.#take(info);
    this.#parser.onError = () => {
      this.#broken = true;
    };
  }

  write(text: string): { readonly value: unknown } | undefined {
    if (this.#broken || this.#complete) return undefined;
    this.#length += text.length;
    try {
      this.#parser.write(text);
      if (this.#broken || this.#root === undefined) return undefined;
      if (!this.#complete && this.#length - this.#toldAt < this.#length * STEP) return undefined;
      this.#toldAt = this.#length;
      return { value: this.#snapshot() };
    } catch {
      this.#broken = true; // no JSON, or nested deeper than can be copied
      return undefined;
    }
  }

  #take({ value, key, parent, stack, partial }: ParsedElementInfo): void {
    this.#last = undefined;
    if (stack.length === 0) {
      if (partial !== true) this.#complete = true;
      if (value !== undefined && (partial !== true || typeof value === "string")) this.#root = value;
      return;
    }
    this.#root = stack.length === 1 ? parent : stack[1]?.value;
    // A number that goes on is another number, until it is whole.
    if (partial === true && typeof value === "string" && key !== undefined && parent !== undefined)
      this.#last = { parent, key, value };
  }

  #snapshot(): unknown {
    if (this.#last === undefined || this.#complete) return structuredClone(this.#root);
    const { parent, key, value } = this.#last;
    Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
    const copy = structuredClone(this.#root);
    if (Array.isArray(parent)) parent.length--;
    else Reflect.deleteProperty(parent, key);
    return copy;
  }
}
