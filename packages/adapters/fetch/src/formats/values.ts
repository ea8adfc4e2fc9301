import type { Delta } from "@suite/core";
import type { StreamFormat, WireFormat } from "../neutral/format.js";
import { eventOf, type ServerEvent } from "../sse/event.js";
import { valueIn } from "../sse/json-event.js";

/**
 * A stream in which events that are JSON and no object (`[1]`, `"text"`, `null`) are values to the layers. No protocol has
 * such events, and clients hand them on. So is the text of those that are no JSON, where the client does not read them.
 */
export class WithValues implements StreamFormat {
  readonly #format: StreamFormat;
  readonly #came = new WeakMap<Delta, ServerEvent>();
  #begun = false;

  readonly #ignores: WireFormat["ignores"];

  constructor(format: WireFormat) {
    this.#format = format.stream();
    this.#ignores = format.ignores;
  }

  get out(): ServerEvent[] {
    return this.#format.out;
  }

  get begun(): boolean {
    return this.#begun || this.#format.begun;
  }

  get finished(): boolean {
    return this.#format.finished;
  }

  read(event: ServerEvent): readonly Delta[] {
    const found = valueIn(event, this.#ignores?.(event));
    if (found === undefined) return this.#format.read(event);
    this.#begun = true;
    const delta: Delta = { type: "event", name, value: found.value };
    this.#came.set(delta, event);
    return [delta];
  }

  cutShort(rest?: string): readonly Delta[] {
    return this.#format.cutShort(rest);
  }

  write(delta: Delta): void {
    if (delta.type === "event" && delta.name === name) this.out.push(this.#came.get(delta) ?? eventOf(delta.value));
    else this.#format.write(delta);
  }

  end(): void {
    this.#format.end();
  }
}

/** No protocol's name for anything. */
const name = "json_value";
