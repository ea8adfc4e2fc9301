import { assembleReply, type Delta, type Part, type Redactor, type Reply } from "@suite/core";
import { type DoneEvent, isRecord, type SdkEvent } from "../framework.js";
import { newItem } from "../messages/from-neutral.js";
import { usageOf } from "../messages/usage.js";
import { MODEL_EVENT, type StreamReader } from "./read-stream.js";
import { itemsOf, type Slot, unlessSame } from "./response.js";

/** The writer of a streamed answer: what the layers let through, as the SDK's events. */
export class StreamWriter {
  readonly #let: Delta[] = [];
  readonly #reading: () => StreamReader | undefined;

  /**
   * @param reading of several attempts, the last.
   * @param redactor of the run, for what providers add to a changed message.
   */
  constructor(
    reading: () => StreamReader | undefined,
    readonly redactor?: Redactor,
  ) {
    this.#reading = reading;
  }

  /** Yields the events for a delta that left the layers. */
  *write(delta: Delta): Generator<SdkEvent> {
    const pieces = this.#reading()?.boundaries.left(delta) ?? [delta];
    for (const piece of pieces) yield* this.#write(piece);
  }

  *#write(delta: Delta): Generator<SdkEvent> {
    const reading = this.#reading();
    if (delta.type === "event") {
      if (delta.name === MODEL_EVENT && isRecord(delta.value)) yield delta.value as SdkEvent;
      return;
    }
    this.#let.push(delta);
    if (delta.type !== "part" || delta.part.type !== "text" || delta.part.content === "") return;
    if (reading?.isUnstreamed(delta) === true) return;
    const text = reading?.texts.get(delta.at);
    // What came whole, such as a refusal, was not told in pieces either.
    if (text === undefined && reading !== undefined && [...reading.places.values()].includes(delta.at)) return;
    const itemId = text?.itemId;
    yield reading?.eventOf(delta) ?? {
      type: "output_text_delta",
      delta: delta.part.content,
      ...(itemId !== undefined && { itemId }),
    };
  }

  /** The last event of the stream, which repeats all of it: it is made of what was let through. */
  *end(): Generator<SdkEvent> {
    const reading = this.#reading();
    for (const piece of reading?.boundaries.end() ?? []) yield* this.#write(piece);
    const reply = assembleReply(this.#let);
    if (reading?.done === undefined) {
      if (reading === undefined) yield answered(reply);
      return;
    }
    const done = this.#done(reading, reading.done);
    if (done === reading.done) yield* reading.raw;
    yield done;
  }

  #done(reading: StreamReader, done: DoneEvent): DoneEvent {
    const left = partsOf(this.#let);
    const known = new Set([...reading.places.values(), ...reading.texts.keys()]);
    const added = [...left].flatMap(([at, part]) => (known.has(at) ? [] : [part]));
    const became = (slot: Slot): Part | undefined => {
      const part = left.get(reading.places.get(slot) ?? "");
      return part && unlessSame(slot, part, this.redactor);
    };
    const output = itemsOf(done.response.output, reading.slots, became, added, this.redactor);
    if (output === done.response.output) return done;
    const { providerData: _, rawUsage: __, ...response } = done.response;
    return { type: done.type, response: { ...response, output: output as typeof response.output } };
  }
}

/** The parts that were let through, by place. */
function partsOf(deltas: readonly Delta[]): ReadonlyMap<string, Part> {
  const places = [...new Set(deltas.flatMap((delta) => (delta.type === "part" ? [delta.at] : [])))];
  const { parts } = assembleReply(deltas).message;
  return new Map(places.flatMap((at, index) => (parts[index] === undefined ? [] : [[at, parts[index]] as const])));
}

/** The end of an answer that a layer gave in the model's place. */
function answered({ message, usage, response }: Reply): SdkEvent {
  const output = message.parts.map((part) => newItem(part)) as DoneEvent["response"]["output"];
  return { type: "response_done", response: { id: response?.id ?? "", usage: usageOf(usage), output } };
}
