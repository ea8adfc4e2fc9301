import type { Delta } from "@suite/core";
import type { DoneEvent, SdkEvent } from "../framework.js";
import { finishOf, type Slot, slotsOf } from "../model/response.js";

/** A text that came in pieces. */
export interface StreamedText {
  readonly at: string;
  readonly itemId: string | undefined;
  came: string;
}

type TextEvent = Extract<SdkEvent, { type: "output_text_delta" }>;

/** One streamed answer of a model, read into deltas as it comes. */
export class StreamReading {
  readonly texts = new Map<string, StreamedText>();
  /** Where each part of the answer stands, once it is complete. */
  readonly places = new Map<Slot, string>();
  slots: readonly Slot[] = [];
  done: DoneEvent | undefined;
  /** What no layer has to see: it goes out, in order, with what comes next. */
  beside: SdkEvent[] = [];
  /** Of the provider, with text in it that a guard has not seen yet, cut where a value may lie across: kept to the end. */
  readonly raw: SdkEvent[] = [];
  readonly #events = new WeakMap<Delta, SdkEvent>();

  /** @param guarded whether a plugin may have to keep something back. */
  constructor(readonly guarded: boolean) {}

  /** The event that a delta was made of; undefined for one that a layer made. */
  eventOf(delta: Delta): SdkEvent | undefined {
    return this.#events.get(delta);
  }

  async *deltas(events: AsyncIterable<SdkEvent>): AsyncGenerator<Delta, void> {
    for await (const event of events) yield* this.#read(event);
  }

  *#read(event: SdkEvent): Generator<Delta> {
    switch (event.type) {
      case "output_text_delta":
        yield this.#text(event);
        return;
      case "response_done":
        yield* this.#end(event);
        return;
      case "response_started":
        this.beside.push(this.guarded ? { type: "response_started" } : event);
        return;
      default:
        (this.guarded ? this.raw : this.beside).push(event);
    }
  }

  #text(event: TextEvent): Delta {
    const { itemId } = event as { readonly itemId?: string };
    const at = placeOf(itemId, event.providerData?.content_index);
    const text = this.texts.get(at) ?? { at, itemId, came: "" };
    this.texts.set(at, text);
    text.came += event.delta;
    const delta: Delta = { type: "part", at, part: { type: "text", content: event.delta } };
    const { providerData: _, ...bare } = event;
    this.#events.set(delta, this.guarded ? bare : event);
    return delta;
  }

  /** What has not come in pieces: calls, reasoning, what providers' tools did. */
  *#end(event: DoneEvent): Generator<Delta> {
    this.done = event;
    this.slots = slotsOf(event.response.output);
    const open = new Map(this.texts);
    for (const [number, slot] of this.slots.entries()) {
      const { item, index, part } = slot;
      const said = "role" in item && part.type === "text" ? part.content : undefined;
      const own = said === undefined ? undefined : this.#streamed(open, placeOf(item.id, index), said);
      const at = own?.at ?? `item:${number}`;
      this.places.set(slot, at);
      if (own === undefined) yield { type: "part", at, part };
      else {
        open.delete(at);
        const rest = said?.slice(own.came.length) ?? "";
        const native = part.type === "text" && part.native !== undefined ? { native: part.native } : {};
        // What is said no more is looked at all the same: it may hold more than the text.
        if (rest !== "" || "native" in native)
          yield { type: "part", at, part: { type: "text", content: rest, ...native } };
      }
    }
    yield finishOf(event.response);
  }

  /** Under which name a text came that stands whole in the end. Providers need not name both alike. */
  #streamed(open: ReadonlyMap<string, StreamedText>, at: string, said: string): StreamedText | undefined {
    return open.get(at) ?? [...open.values()].find(({ came }) => said.startsWith(came));
  }
}

const placeOf = (itemId: string | undefined, index: unknown): string =>
  `text:${itemId ?? ""}/${typeof index === "number" ? index : 0}`;
