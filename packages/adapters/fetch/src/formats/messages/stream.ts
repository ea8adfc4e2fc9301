import type { Delta, FinishDelta } from "@suite/core";
import { latestUsage } from "@suite/wire";
import { refused } from "../../errors.js";
import { type Json, jsonOf, numberOf, objectsOf, parsed } from "../../json.js";
import type { StreamFormat } from "../../neutral/format.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { jsonIn } from "../../sse/json-event.js";
import { finishOf } from "./answer.js";
import { asEvent, Block, type BlockEvent } from "./block.js";
import { Ending } from "./ending.js";

/** The events of a streamed message. Blocks go out as they come; while text of one is held back, those behind it wait. */
export class MessageStream implements StreamFormat {
  readonly out: ServerEvent[] = [];
  begun = false;
  finished = false;
  #message: Json = {};
  #finish: FinishDelta | undefined;
  #changed: FinishDelta | undefined;
  readonly #blocks = new Map<number, Block>();
  readonly #byAt = new Map<string, Block>();
  /** The blocks of which something may follow, in order. */
  #open: Block[] = [];
  #sent = 0;
  readonly #raw = new WeakMap<Delta, BlockEvent>();
  /** The ends of the message, for when all that is held back has come through. */
  readonly #endings: Ending[] = [];
  readonly #last: ServerEvent[] = [];

  read(event: ServerEvent): readonly Delta[] {
    this.begun = true;
    for (const block of this.#open) block.settle();
    this.#advance();
    if (event.event === "error") throw refused(200, parsed(event.data));
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
      case "content_block_stop":
        return this.#of(body, event, (block, raw) => block.stop(raw));
      case "message_delta":
        return this.#ending(body, event);
      case "message_stop": {
        this.#last.push(event);
        this.finished = true;
        if (this.#finish !== undefined) return [];
        this.#finish = finishOf(this.#message);
        return [this.#finish];
      }
      case "error":
        throw refused(200, body);
      case "ping":
        this.out.push(event);
        return [];
      default:
        return this.#unknown(body, event);
    }
  }

  cutShort(): readonly Delta[] {
    return [];
  }

  write(delta: Delta): void {
    if (delta.type === "finish") this.#ended(delta);
    else if (delta.type === "event" && delta.name === "message_delta") this.#endings.at(-1)?.say(delta);
    else {
      const raw = this.#raw.get(delta);
      const at = delta.type === "event" ? (delta.name.split("/")[1] ?? "") : delta.at;
      if (delta.type === "event" && at === "") this.out.push(raw?.raw ?? eventOf(delta.value, delta.name));
      const block = this.#byAt.get(at) ?? (delta.type === "part" ? this.#add(new Block(at)) : undefined);
      block?.write(delta, raw);
      this.#advance();
    }
  }

  end(): void {
    for (const block of this.#open) block.end();
    this.#advance();
    const { finishReason } = this.#changed ?? {};
    const reason = finishReason === this.#finish?.finishReason ? undefined : finishReason;
    for (const ending of this.#endings.splice(0)) this.out.push(ending.written(reason));
    this.out.push(...this.#last.splice(0));
  }

  #ending(body: Json, event: ServerEvent): readonly Delta[] {
    const usage = latestUsage(jsonOf(this.#message.usage), jsonOf(body.usage));
    this.#message = { ...this.#message, ...jsonOf(body.delta), usage };
    this.#finish = finishOf(this.#message);
    const ending = new Ending(event, body, this.#finish);
    this.#endings.push(ending);
    return ending.deltas;
  }

  /** The provider's own mark ends the message at once, where nothing is held back. */
  #ended(finish: FinishDelta): void {
    const [ending] = this.#endings;
    if (finish === this.#finish && ending === undefined) return;
    if (ending?.takes(finish) !== true) this.#changed = { ...this.#changed, ...finish };
    else if (ending.untouched && !this.#open.some((block) => block.holds || block.givesWay)) {
      this.#endings.shift();
      this.out.push(ending.written(undefined));
    }
  }

  #start(start: BlockEvent): readonly Delta[] {
    const index = numberOf(start.body.index);
    const block = this.#add(new Block(`b${index}`, start));
    this.#blocks.set(index, block);
    return this.#remembered([block.begin()], start);
  }

  #of(body: Json, raw: ServerEvent, say: (block: Block, event: BlockEvent) => readonly Delta[]): readonly Delta[] {
    const block = this.#blocks.get(numberOf(body.index));
    if (block === undefined) return this.#unknown(body, raw);
    const event = { body, raw };
    const deltas = this.#remembered(say(block, event), event);
    if (deltas.length === 0) this.#advance();
    return deltas;
  }

  /** Reads an event of no block that has begun, or that nobody knows: looked at as a value. */
  #unknown(body: Json, raw: ServerEvent): readonly Delta[] {
    return this.#remembered([{ type: "event", name: String(body.type), value: body }], { body, raw });
  }

  #remembered(deltas: readonly Delta[], event: BlockEvent): readonly Delta[] {
    for (const delta of deltas) this.#raw.set(delta, event);
    return deltas;
  }

  #add(block: Block): Block {
    this.#byAt.set(block.at, block);
    this.#open.push(block);
    return block;
  }

  /** Sends what can be sent, block by block, up to one of which something is held back. */
  #advance(): void {
    const [only] = this.#open;
    if (only !== undefined && this.#open.length === 1) {
      if (only.waits) this.#advanceOnly(only);
      return;
    }
    if (!this.#open.some((block) => block.waits)) return;
    let open: Block[] = [];
    for (const [index, block] of this.#open.entries()) {
      const events = block.take();
      if (events.length > 0) open = open.filter((before) => !this.#madeWay(before));
      this.#send(block, events);
      if (block.over) this.#byAt.delete(block.at);
      else open.push(block);
      if (!block.holds) continue;
      open.push(...this.#open.slice(index + 1));
      break;
    }
    this.#open = open;
  }

  /** Advances the one block where no other is open, as nearly always. */
  #advanceOnly(block: Block): void {
    this.#send(block, block.take());
    if (!block.over) return;
    this.#byAt.delete(block.at);
    this.#open = [];
  }

  #madeWay(block: Block): boolean {
    if (!block.givesWay) return false;
    block.end();
    this.#send(block, block.take());
    this.#byAt.delete(block.at);
    return true;
  }

  #send(block: Block, events: readonly BlockEvent[]): void {
    for (const event of events) {
      block.index ??= this.#sent++;
      this.out.push(asEvent(event, block.index));
    }
  }
}
