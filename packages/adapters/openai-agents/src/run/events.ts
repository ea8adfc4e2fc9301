import { RunItemStreamEvent, RunMessageOutputItem, RunRawModelStreamEvent } from "@openai/agents";
import type { Delta } from "@suite/core";
import type { DoneEvent, Item, RunEvent, SdkEvent } from "../framework.js";
import { endedItem } from "../model/raw-events.js";
import { isMessage, rewritten, textOfMessage } from "./reply.js";

/** The name of events that contain an unchanged event of the SDK. */
const RUN_EVENT = "openai-agents.event";

/** The text of one message: before and after the layers. */
interface Text {
  readonly at: string;
  readonly itemId: string | undefined;
  received: string;
  released: string;
  /** True if the layers have passed only text that came. */
  same: boolean;
  ended: boolean;
}

/** The length of each text that the layers must have passed before an event. */
interface Mark {
  lengths?: readonly number[];
}

interface LateEvent {
  readonly event: RunEvent;
  readonly mark: Mark | undefined;
}

/**
 * The events of a run on their way to the `agent` layers and back. Text becomes text deltas, so that a layer may hold
 * it back and change it. Any other event is emitted after the text before it, and repeats the text after the layers.
 */
export class RunEvents {
  /** The text parts in their order. */
  readonly #texts: Text[] = [];
  readonly #events = new WeakMap<Delta, RunEvent>();
  /** The positions of a final output that was not streamed. Only the layers receive it. */
  readonly #quiet = new Set<string>();
  readonly #marks = new WeakMap<Delta, Mark>();
  /** The marks of the provider's events since the last other event: each repeats the text that comes after it. */
  #open: Mark[] = [];
  #late: LateEvent[] = [];
  #answers = 0;

  *read(event: RunEvent): Generator<Delta> {
    const { data } = event as { readonly data?: SdkEvent };
    if (event.type !== "raw_model_stream_event" || data?.type !== "output_text_delta") {
      if (data !== undefined) yield* this.#ended(data);
      const delta: Delta = { type: "event", name: RUN_EVENT, value: event };
      const mark: Mark = {};
      this.#marks.set(delta, mark);
      this.#open.push(mark);
      if (data?.type !== "model") this.#measure();
      yield delta;
      return;
    }
    const { itemId } = data as { readonly itemId?: string };
    const at = `${this.#answers}:${itemId ?? ""}`;
    let text = this.#texts.find((each) => each.at === at);
    if (text === undefined) {
      text = { at, itemId, received: "", released: "", same: true, ended: false };
      this.#texts.push(text);
    }
    text.received += data.delta;
    this.#measure();
    const delta: Delta = { type: "part", at, part: { type: "text", content: data.delta } };
    this.#events.set(delta, event);
    yield delta;
  }

  #measure(): void {
    if (this.#open.length === 0) return;
    const lengths = this.#texts.map(({ received: came }) => came.length);
    for (const mark of this.#open.splice(0)) mark.lengths = lengths;
  }

  /** Yields the ends of the text parts that end with an event of the model. */
  *#ended(event: SdkEvent): Generator<Delta> {
    const all = event.type === "response_done";
    const itemId = all ? undefined : endedItem(event);
    if (!all && itemId === undefined) return;
    for (const text of this.#texts) {
      if (text.ended || (!all && text.at !== `${this.#answers}:${itemId}`)) continue;
      text.ended = true;
      yield { type: "part_end", at: text.at };
    }
    if (all) this.#answers++;
  }

  /** Marks the final output as being for the layers only. */
  quietly(deltas: readonly Delta[]): readonly Delta[] {
    for (const delta of deltas) if (delta.type === "part") this.#quiet.add(delta.at);
    return deltas;
  }

  *write(delta: Delta): Generator<RunEvent> {
    if (delta.type === "event") {
      if (delta.name !== RUN_EVENT) return;
      this.#late.push({ event: delta.value as RunEvent, mark: this.#marks.get(delta) });
    } else if (delta.type === "part" && delta.part.type === "text" && !this.#quiet.has(delta.at)) {
      const { content } = delta.part;
      const text = this.#texts.find(({ at }) => at === delta.at);
      if (text !== undefined) {
        text.same &&= text.received.startsWith(content, text.released.length);
        text.released += content;
      }
      const itemId = text?.itemId;
      const data = { type: "output_text_delta" as const, delta: content, ...(itemId !== undefined && { itemId }) };
      if (content !== "") yield this.#events.get(delta) ?? new RunRawModelStreamEvent(data);
    }
    yield* this.#ready();
  }

  /** Yields the events whose preceding text the layers have passed unchanged. */
  *#ready(): Generator<RunEvent> {
    const waits = this.#late.findIndex(({ mark }) => !this.#passed(mark?.lengths));
    for (const { event } of this.#late.splice(0, waits === -1 ? this.#late.length : waits)) yield event;
  }

  #passed(lengths: readonly number[] | undefined): boolean {
    return this.#texts.every(({ received: came, released: left, same }, index) => {
      const wanted = lengths === undefined ? came.length : (lengths[index] ?? 0);
      return same && left.length >= wanted;
    });
  }

  /** Yields the events that waited for text which a layer held back. */
  *rest(): Generator<RunEvent> {
    const late = this.#late;
    this.#late = [];
    for (const { event } of late) {
      const rewritten = this.#rewritten(event);
      if (rewritten !== undefined) yield rewritten;
    }
  }

  /** The last text, before and after the layers. */
  get last(): { readonly received: string; readonly released: string } | undefined {
    return this.#texts.at(-1);
  }

  /** Returns an event that repeats a changed text, with the text after the layers. */
  #rewritten(event: RunEvent): RunEvent | undefined {
    if (this.#texts.every(({ received, released }) => received === released)) return event;
    if (event.type === "run_item_stream_event" && event.item instanceof RunMessageOutputItem) {
      const { item } = event;
      const raw = this.#rewrittenItem(item.rawItem);
      return raw === item.rawItem
        ? event
        : new RunItemStreamEvent(event.name, new RunMessageOutputItem(raw as typeof item.rawItem, item.agent));
    }
    const { data } = event as { readonly data?: SdkEvent };
    if (data?.type === "model") return undefined;
    if (data?.type !== "response_done") return event;
    const output = data.response.output.map((item) => this.#rewrittenItem(item));
    if (output.every((item, index) => item === data.response.output[index])) return event;
    const { providerData: _, ...response } = data.response;
    const done = { type: data.type, response: { ...response, output } } as DoneEvent;
    return new RunRawModelStreamEvent(done);
  }

  #rewrittenItem(item: Item): Item {
    if (!isMessage(item)) return item;
    const original = textOfMessage(item);
    const text = this.#texts.findLast(({ received }) => received === original);
    return text === undefined || text.released === text.received ? item : rewritten(item, text.released);
  }
}
