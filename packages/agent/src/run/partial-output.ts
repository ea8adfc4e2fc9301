import { JSONParser, type ParsedElementInfo } from "@streamparser/json";
import type { Delta } from "@suite/core";

/**
 * Parses the structured output of a run while it streams: objects and lists as far as they have arrived, with the last
 * string cut off. Text that is not JSON is ignored, for example text next to tool calls.
 */
export class PartialOutput {
  #json = new GrowingJson();
  /** The current round. Each one starts a new value, because the last one contains the answer. */
  #round = "";

  /** Returns the value so far, or `undefined` if this delta did not add enough to it. */
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

/**
 * The minimum growth, as a fraction of the length, before the value is returned again. Returning every value would take
 * quadratic time.
 */
const STEP = 1 / 64;

/** A JSON value that is parsed while it arrives. */
class GrowingJson {
  readonly #parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
  #root: unknown;
  /** The last, incomplete string. It is not yet in its object. */
  #last: { readonly parent: object; readonly key: string | number; readonly value: string } | undefined;
  #length = 0;
  #reportedLength = 0;
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
      if (!this.#complete && this.#length - this.#reportedLength < this.#length * STEP) return undefined;
      this.#reportedLength = this.#length;
      return { value: this.#snapshot() };
    } catch {
      this.#broken = true; // not JSON, or nested too deeply to be copied
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
    // An incomplete number would be a different number.
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
