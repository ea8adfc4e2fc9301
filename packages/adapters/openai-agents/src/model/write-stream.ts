import type { Delta, Part, Redactor, Reply } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import type { DoneEvent, SdkEvent } from "../framework.js";
import { newItem } from "../messages/from-neutral.js";
import { usageOf } from "../messages/usage.js";
import { MODEL_EVENT, type StreamReader } from "./read-stream.js";
import { itemsOf, type Slot, unlessSame } from "./response.js";

/** Writes a streamed answer: converts the deltas after the layers to the SDK's events. */
export class StreamWriter {
  readonly #let: Delta[] = [];
  readonly #reading: () => StreamReader | undefined;

  /**
   * @param reading returns the reader of the last attempt.
   * @param redactor the redactor of the run, for the provider data of a changed message.
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
    // Text that arrived whole, such as a refusal, is not streamed either.
    if (text === undefined && reading !== undefined && [...reading.slotIds.values()].includes(delta.at)) return;
    const itemId = text?.itemId;
    yield reading?.eventOf(delta) ?? {
      type: "output_text_delta",
      delta: delta.part.content,
      ...(itemId !== undefined && { itemId }),
    };
  }

  /**
   * Yields the last event of the stream. It repeats the whole answer, so it is created from the deltas after the
   * layers.
   */
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
    const finalParts = partsOf(this.#let);
    const known = new Set([...reading.slotIds.values(), ...reading.texts.keys()]);
    const added = [...finalParts].flatMap(([at, part]) => (known.has(at) ? [] : [part]));
    const became = (slot: Slot): Part | undefined => {
      const part = finalParts.get(reading.slotIds.get(slot) ?? "");
      return part && unlessSame(slot, part, this.redactor);
    };
    const output = itemsOf(done.response.output, reading.slots, became, added, this.redactor);
    if (output === done.response.output) return done;
    const { providerData: _, rawUsage: __, ...response } = done.response;
    return { type: done.type, response: { ...response, output: output as typeof response.output } };
  }
}

/** Returns the emitted parts, by position. */
function partsOf(deltas: readonly Delta[]): ReadonlyMap<string, Part> {
  const ids = [...new Set(deltas.flatMap((delta) => (delta.type === "part" ? [delta.at] : [])))];
  const { parts } = assembleReply(deltas).message;
  return new Map(ids.flatMap((at, index) => (parts[index] === undefined ? [] : [[at, parts[index]] as const])));
}

/** Creates the final event for an answer of a layer. */
function answered({ message, usage, response }: Reply): SdkEvent {
  const output = message.parts.map((part) => newItem(part)) as DoneEvent["response"]["output"];
  return { type: "response_done", response: { id: response?.id ?? "", usage: usageOf(usage), output } };
}
