import type { Delta, EventDelta, Usage } from "@suite/core";
import { PieceBoundaries } from "@suite/core/framework";
import type { DoneEvent, SdkEvent } from "../framework.js";
import { callIn, endedText, finishReasonIn, placeOf, saysNothing, skeletonOf } from "./raw-events.js";
import { finishOf, type Slot, slotsOf } from "./response.js";

/** The name of events that carry one of the SDK's as it is. */
export const MODEL_EVENT = "openai-agents.model";

/** A text that came in pieces. */
export interface StreamedText {
  readonly at: string;
  readonly itemId: string | undefined;
  came: string;
}

type TextEvent = Extract<SdkEvent, { type: "output_text_delta" }>;

/** The circumstances of a streamed answer. */
export interface About {
  /** Whether a plugin may have to keep something back. */
  readonly guarded: boolean;
  /** Whether the provider keeps the history. */
  readonly stateful: boolean;
  /** Tells of an abort. */
  readonly signal: AbortSignal;
  /** The callback for the usage that the model itself tells. */
  used(usage: Usage | undefined): void;
}

/** One streamed answer of a model, read into deltas as it comes. */
export class StreamReader {
  readonly texts = new Map<string, StreamedText>();
  /** The place of each part of the answer, once it is complete. */
  readonly places = new Map<Slot, string>();
  slots: readonly Slot[] = [];
  done: DoneEvent | undefined;
  /** The provider's events with text in them that a guard has not seen yet, cut where a value may lie across: kept to the end. */
  readonly raw: SdkEvent[] = [];
  /** Whether it was broken off by an abort. */
  aborted = false;
  /** The error that the model's stream failed with. */
  failure: { readonly error: unknown } | undefined;
  /** The boundaries of the texts, for what the layers let through unchanged. */
  readonly boundaries = new PieceBoundaries();
  readonly #events = new WeakMap<Delta, SdkEvent>();
  readonly #unstreamed = new WeakSet<Delta>();
  /** The places of texts of which more may come. */
  readonly #open = new Set<string>();
  #toldRaw = false;
  #finishReason: string | undefined;

  constructor(readonly about: About) {}

  /** Returns true for text that only the end of the stream contains: it is in no event of its own. */
  isUnstreamed(delta: Delta): boolean {
    return this.#unstreamed.has(delta);
  }

  /** The event that a delta was made of; undefined for one that a layer made. */
  eventOf(delta: Delta): SdkEvent | undefined {
    return this.#events.get(delta);
  }

  async *deltas(events: AsyncIterable<SdkEvent>): AsyncGenerator<Delta, void> {
    const { signal } = this.about;
    let aborted = false;
    try {
      for await (const event of events) {
        aborted ||= signal.aborted && this.done === undefined;
        for (const delta of this.#read(event)) {
          this.boundaries.came(delta);
          yield delta;
        }
      }
    } catch (error) {
      this.failure = { error };
      // The answer is there: what fails behind it is the SDK's alone.
      if (this.done !== undefined && !aborted) return;
      // No more of these texts comes: what a stage holds back leaves before the error.
      for (const at of this.#open) yield { type: "part_end", at };
      const [first] = this.raw;
      // The SDK asks again only where it was told nothing yet.
      if (first !== undefined && !this.#toldRaw) yield this.#beside(skeletonOf(first));
      if (!signal.aborted) throw error;
    }
    // For the layers an answer that was broken off is cancelled, however the model ended it.
    if (aborted || (signal.aborted && this.done === undefined)) {
      this.aborted = true;
      throw signal.reason;
    }
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
        yield this.#beside(this.about.guarded ? { type: "response_started" } : event);
        return;
      default:
        yield* this.#raw(event);
    }
  }

  /** An event of the provider: at once where nothing is said in it, else at the end, where somebody has to see that first. */
  *#raw(event: SdkEvent): Generator<Delta> {
    this.#finishReason = finishReasonIn(event) ?? this.#finishReason;
    const ended = endedText(event);
    const at = ended && placeOf(ended.itemId, ended.index);
    if (at !== undefined && this.texts.has(at)) {
      this.#open.delete(at);
      yield { type: "part_end", at };
    }
    if (!this.about.guarded || saysNothing(event)) yield this.#beside(event);
    else {
      this.raw.push(event);
      // What was called is answered where the run is aborted, if the provider keeps the history.
      if (this.about.stateful && callIn(event)) yield this.#beside(skeletonOf(event));
    }
  }

  #beside(event: SdkEvent): EventDelta {
    this.#toldRaw ||= event.type === "model";
    return { type: "event", name: MODEL_EVENT, value: event };
  }

  #text(event: TextEvent): Delta {
    const { itemId } = event as { readonly itemId?: string };
    const at = placeOf(itemId, event.providerData?.content_index);
    const text = this.texts.get(at) ?? { at, itemId, came: "" };
    this.texts.set(at, text);
    this.#open.add(at);
    text.came += event.delta;
    const delta: Delta = { type: "part", at, part: { type: "text", content: event.delta } };
    const { providerData: _, ...bare } = event;
    this.#events.set(delta, this.about.guarded ? bare : event);
    return delta;
  }

  /** The parts that have not come in pieces: calls, reasoning, what providers' tools did. */
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
        if (rest !== "" || "native" in native) {
          const delta: Delta = { type: "part", at, part: { type: "text", content: rest, ...native } };
          this.#unstreamed.add(delta);
          yield delta;
        }
        yield { type: "part_end", at };
      }
    }
    const finish = finishOf(event.response, this.#finishReason);
    this.about.used(finish.usage);
    yield finish;
  }

  /** Returns the text that came in pieces and that a whole one begins with. Providers need not name both alike. */
  #streamed(open: ReadonlyMap<string, StreamedText>, at: string, said: string): StreamedText | undefined {
    const own = open.get(at);
    return [...(own === undefined ? [] : [own]), ...open.values()].find(({ came }) => said.startsWith(came));
  }
}
