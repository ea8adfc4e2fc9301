import type { Delta, Usage } from "@suite/core";
import { PieceBoundaries } from "@suite/core/framework";
import type { EventDelta } from "@suite/core/messages";
import type { DoneEvent, SdkEvent } from "../framework.js";
import { callIn, endedText, finishReasonIn, hasNoOutput, skeletonOf, textIdOf } from "./raw-events.js";
import { finishOf, type Slot, slotsOf } from "./response.js";

/** The name of events that contain an unchanged event of the SDK. */
export const MODEL_EVENT = "openai-agents.model";

/** A streamed text. */
export interface StreamedText {
  readonly at: string;
  readonly itemId: string | undefined;
  received: string;
}

type TextEvent = Extract<SdkEvent, { type: "output_text_delta" }>;

/** The conditions of a streamed answer. */
export interface About {
  /** True if a plugin may have to hold something back. */
  readonly guarded: boolean;
  /** True if the provider stores the history. */
  readonly stateful: boolean;
  /** Aborts with the run. */
  readonly signal: AbortSignal;
  /** Receives the usage that the model reports. */
  used(usage: Usage | undefined): void;
}

/** Reads one streamed answer of a model as deltas. */
export class StreamReader {
  readonly texts = new Map<string, StreamedText>();
  /** The position of each part of the answer, after it is complete. */
  readonly slotIds = new Map<Slot, string>();
  slots: readonly Slot[] = [];
  done: DoneEvent | undefined;
  /**
   * Events of the provider with text that a guard has not seen yet. They are held until the end, because a value may be
   * split across them.
   */
  readonly raw: SdkEvent[] = [];
  /** True if an abort cut the answer off. */
  aborted = false;
  /** The error of the model's stream. */
  failure: { readonly error: unknown } | undefined;
  /** The chunk boundaries of the text, for text that the layers pass unchanged. */
  readonly boundaries = new PieceBoundaries();
  readonly #events = new WeakMap<Delta, SdkEvent>();
  readonly #unstreamed = new WeakSet<Delta>();
  /** The positions of text parts that may get more pieces. */
  readonly #open = new Set<string>();
  #sentRaw = false;
  #finishReason: string | undefined;

  constructor(readonly about: About) {}

  /** True for text that only the end of the stream contains. It has no separate event. */
  isUnstreamed(delta: Delta): boolean {
    return this.#unstreamed.has(delta);
  }

  /** Returns the original event of a delta, or `undefined` for a delta of a layer. */
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
      // The answer is complete. A later error is for the SDK only.
      if (this.done !== undefined && !aborted) return;
      // These parts end here, so that text that a stage holds back is emitted before the error.
      for (const at of this.#open) yield { type: "part_end", at };
      const [first] = this.raw;
      // The SDK retries only if it has received no event yet.
      if (first !== undefined && !this.#sentRaw) yield this.#otherEvent(skeletonOf(first));
      if (!signal.aborted) throw error;
    }
    // For the layers a cut-off answer is cancelled, however the model ended it.
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
        yield this.#otherEvent(this.about.guarded ? { type: "response_started" } : event);
        return;
      default:
        yield* this.#raw(event);
    }
  }

  /**
   * Emits an event of the provider: immediately if it contains no text or no plugin guards the answer, otherwise at the
   * end.
   */
  *#raw(event: SdkEvent): Generator<Delta> {
    this.#finishReason = finishReasonIn(event) ?? this.#finishReason;
    const ended = endedText(event);
    const at = ended && textIdOf(ended.itemId, ended.index);
    if (at !== undefined && this.texts.has(at)) {
      this.#open.delete(at);
      yield { type: "part_end", at };
    }
    if (!this.about.guarded || hasNoOutput(event)) yield this.#otherEvent(event);
    else {
      this.raw.push(event);
      // If the provider stores the history and the run is aborted, the SDK answers the open calls.
      if (this.about.stateful && callIn(event)) yield this.#otherEvent(skeletonOf(event));
    }
  }

  #otherEvent(event: SdkEvent): EventDelta {
    this.#sentRaw ||= event.type === "model";
    return { type: "event", name: MODEL_EVENT, value: event };
  }

  #text(event: TextEvent): Delta {
    const { itemId } = event as { readonly itemId?: string };
    const at = textIdOf(itemId, event.providerData?.content_index);
    const text = this.texts.get(at) ?? { at, itemId, received: "" };
    this.texts.set(at, text);
    this.#open.add(at);
    text.received += event.delta;
    const delta: Delta = { type: "part", at, part: { type: "text", content: event.delta } };
    const { providerData: _, ...bare } = event;
    this.#events.set(delta, this.about.guarded ? bare : event);
    return delta;
  }

  /** Emits the parts that were not streamed: calls, reasoning, and the work of the provider's tools. */
  *#end(event: DoneEvent): Generator<Delta> {
    this.done = event;
    this.slots = slotsOf(event.response.output);
    const open = new Map(this.texts);
    for (const [number, slot] of this.slots.entries()) {
      const { item, index, part } = slot;
      const text = "role" in item && part.type === "text" ? part.content : undefined;
      const streamed = text === undefined ? undefined : this.#streamed(open, textIdOf(item.id, index), text);
      const at = streamed?.at ?? `item:${number}`;
      this.slotIds.set(slot, at);
      if (streamed === undefined) yield { type: "part", at, part };
      else {
        open.delete(at);
        const rest = text?.slice(streamed.received.length) ?? "";
        const native = part.type === "text" && part.native !== undefined ? { native: part.native } : {};
        // Emitted even if the text is empty, because the native form may contain more than the text.
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

  /**
   * Returns the streamed text that is the beginning of this whole text. Providers may use different ids for the two.
   */
  #streamed(open: ReadonlyMap<string, StreamedText>, at: string, text: string): StreamedText | undefined {
    const candidate = open.get(at);
    return [...(candidate === undefined ? [] : [candidate]), ...open.values()].find(({ received }) =>
      text.startsWith(received),
    );
  }
}
