import type { Delta, EventDelta, FinishDelta } from "@suite/core";
import { refused } from "../../errors.js";
import { beside, type Json, jsonOf, numberOf, objectsOf } from "../../json.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { jsonIn } from "../../sse/json-event.js";
import type { StreamFormat } from "../format.js";
import { finishOf, ofBody, writeReason } from "./answer.js";
import { asEvent, Block, type BlockEvent } from "./block.js";

/**
 * The events of a streamed message. Blocks go out one behind the other, as the protocol has it: while the end of one is
 * held back, those behind it wait.
 */
export class MessageStream implements StreamFormat {
  readonly out: ServerEvent[] = [];
  begun = false;
  finished = false;
  #message: Json = {};
  #finish: FinishDelta = { type: "finish" };
  #changed: FinishDelta | undefined;
  readonly #blocks = new Map<number, Block>();
  readonly #byAt = new Map<string, Block>();
  /** Those that have not been sent to their end, in order. */
  #waiting: Block[] = [];
  #sent = 0;
  readonly #raw = new WeakMap<Delta, BlockEvent>();
  readonly #end: ServerEvent[] = [];
  /** What the end says beside its reason: what came, what it is without that, and where it waits. */
  #said: { readonly event: ServerEvent; readonly body: Json; readonly told: Delta; readonly at: number } | undefined;

  read(event: ServerEvent): readonly Delta[] {
    if (event.data === "") return [];
    this.begun = true;
    const body = jsonIn(event);
    switch (body.type) {
      case "message_start":
        this.#message = jsonOf(body.message);
        // Blocks have their own events: what is said here already, nobody would have looked at.
        this.out.push(
          objectsOf(this.#message.content).length === 0
            ? event
            : eventOf({ ...body, message: { ...this.#message, content: [] } }, "message_start"),
        );
        return [];
      case "content_block_start":
        return this.#start({ body, raw: event });
      case "content_block_delta":
        return this.#of(body, event, (block, raw) => block.piece(jsonOf(body.delta), raw));
      case "content_block_stop": {
        const deltas = this.#of(body, event, (block, raw) => block.stop(raw));
        this.#advance();
        return deltas;
      }
      case "message_delta":
        return this.#ending(body, event);
      case "message_stop":
        this.#end.push(event);
        this.finished = true;
        this.#finish = finishOf(this.#message);
        return [this.#finish];
      case "error":
        throw refused(200, body);
      default:
        if (body.type !== "ping") return [{ type: "event", name: String(body.type), value: body }];
        this.out.push(event);
        return [];
    }
  }

  cutShort(): readonly Delta[] {
    return [];
  }

  write(delta: Delta): void {
    if (delta.type === "finish") {
      if (delta !== this.#finish) this.#changed = delta;
      return;
    }
    if (delta.type === "event" && delta.name === "message_delta") {
      this.#sayEnding(delta);
      return;
    }
    const at = delta.type === "event" ? (delta.name.split("/")[1] ?? "") : delta.at;
    if (delta.type === "event" && at === "") this.out.push(eventOf(delta.value, delta.name));
    const block = this.#byAt.get(at) ?? (delta.type === "part" ? this.#add(new Block(at)) : undefined);
    block?.write(delta, this.#raw.get(delta));
    this.#advance();
  }

  #sayEnding(delta: EventDelta): void {
    const said = this.#said;
    if (said === undefined) return;
    const { event, body, told, at } = said;
    const changed = { ...body, delta: { ...jsonOf(body.delta), ...jsonOf(delta.value) } };
    this.#end[at] = delta === told ? event : eventOf(changed, "message_delta");
  }

  end(): void {
    for (const block of this.#waiting) if (block.shows) this.#send(block.last(), true);
    this.#waiting = [];
    const { finishReason } = this.#changed ?? {};
    const changed = finishReason !== undefined && finishReason !== this.#finish.finishReason;
    for (const event of this.#end) this.out.push(changed ? withReason(event, writeReason(finishReason)) : event);
  }

  /** How the message ends. What it says of that, as why it was refused, goes through the layers. */
  #ending(body: Json, event: ServerEvent): readonly Delta[] {
    const delta = jsonOf(body.delta);
    const usage = latest(jsonOf(this.#message.usage), jsonOf(body.usage));
    this.#message = { ...this.#message, ...delta, usage };
    const value = beside(delta, ofBody);
    if (value === undefined) {
      this.#end.push(event);
      return [];
    }
    const plain = Object.fromEntries(Object.entries(delta).filter(([key]) => !Object.hasOwn(value, key)));
    this.#end.push(eventOf({ ...body, delta: plain }, "message_delta"));
    const told: Delta = { type: "event", name: "message_delta", value };
    this.#said = { event, body: { ...body, delta: plain }, told, at: this.#end.length - 1 };
    return [told];
  }

  #start(start: BlockEvent): readonly Delta[] {
    const index = numberOf(start.body.index);
    const block = this.#add(new Block(`b${index}`, start));
    this.#blocks.set(index, block);
    return this.#remembered(block.begin(), start);
  }

  #of(body: Json, raw: ServerEvent, say: (block: Block, event: BlockEvent) => Delta | undefined): readonly Delta[] {
    const block = this.#blocks.get(numberOf(body.index));
    const event = { body, raw };
    return block === undefined ? [] : this.#remembered(say(block, event), event);
  }

  #remembered(delta: Delta | undefined, event: BlockEvent): readonly Delta[] {
    if (delta === undefined) return [];
    this.#raw.set(delta, event);
    return [delta];
  }

  #add(block: Block): Block {
    this.#byAt.set(block.at, block);
    this.#waiting.push(block);
    return block;
  }

  /** Sends what can be sent of the first block that waits, and of those behind it where it is complete. */
  #advance(): void {
    for (;;) {
      const [block] = this.#waiting;
      if (block === undefined) return;
      if (!block.complete) {
        this.#send(block.take(), false);
        return;
      }
      this.#waiting.shift();
      this.#send(block.last(), true);
    }
  }

  #send(events: readonly BlockEvent[], last: boolean): void {
    for (const event of events) this.out.push(asEvent(event, this.#sent));
    if (last) this.#sent++;
  }
}

/** A later count replaces an earlier one, where there is one. */
const latest = (before: Json, after: Json): Json => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([, count]) => count !== null)),
});

function withReason(event: ServerEvent, stop_reason: string): ServerEvent {
  const body = jsonIn(event);
  return body.type === "message_delta"
    ? eventOf({ ...body, delta: { ...jsonOf(body.delta), stop_reason } }, "message_delta")
    : event;
}
