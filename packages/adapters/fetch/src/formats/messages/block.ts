import type { Delta, Part } from "@suite/core";
import { type Json, jsonOf, parsed, stringOf } from "../../json.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { piecesOf } from "./answer.js";
import { Balance } from "./balance.js";
import { partOf, serverCall, writeBlock } from "./blocks.js";

/** An event of a block; its index is given when it is sent. */
export interface BlockEvent {
  readonly body: Json;
  /** The provider's event, unchanged; none of an event that is made here. */
  readonly raw?: ServerEvent;
}

/** One content block of a stream, from the provider to the client. */
export class Block {
  readonly at: string;
  /** The index among the blocks that the client is sent; undefined as long as it has begun none. */
  index: number | undefined;
  readonly #start: BlockEvent | undefined;
  /** The events that begin the block where it is sent. */
  #head: readonly BlockEvent[];
  #stop: BlockEvent | undefined;
  /** A block whose input nobody else may see in pieces: it goes through the layers when it is whole. */
  readonly #held: BlockEvent[] | undefined;
  #json = "";
  readonly #said = new Balance();
  #through = false;
  #begun = false;
  #ended = false;
  #over = false;
  readonly #queue: BlockEvent[] = [];

  /** @param start of a block of the provider's. */
  constructor(at: string, start?: BlockEvent) {
    this.at = at;
    this.#start = start;
    this.#head = start === undefined ? [] : [emptied(start)];
    if (isServerCall(this.#block)) this.#held = [];
  }

  get #block(): Json {
    return jsonOf(this.#start?.body.content_block);
  }

  /** Whether nothing of it follows. */
  get over(): boolean {
    return this.#over;
  }

  /**
   * Whether it ends as soon as something behind it goes out: one that a layer made, or one that was changed and whose end has
   * come through. Until then a layer that keeps text for the end of the answer can still add it.
   */
  get givesWay(): boolean {
    return !this.#over && (this.#isMade ? this.#through : this.#ended && this.#said.went);
  }

  /** Whether something of it may be held back, so that what is behind it has to wait. */
  get holds(): boolean {
    return !this.#over && !this.givesWay && (!this.#through || !this.#said.even);
  }

  get #isMade(): boolean {
    return this.#start === undefined;
  }

  /** The delta of its beginning: of a text nothing yet, but that there is one. */
  begin(): Delta {
    const block = this.#block;
    if (this.#held !== undefined) return { type: "event", name: `${began}${this.at}`, value: block };
    return this.#part(partOf(block));
  }

  /** Reads a piece of the block. */
  piece(delta: Json, piece: BlockEvent): readonly Delta[] {
    if (this.#held !== undefined) {
      this.#held.push(piece);
      this.#json += stringOf(delta.partial_json);
      return [];
    }
    switch (delta.type) {
      case "text_delta":
        return [this.#part({ type: "text", content: stringOf(delta.text) })];
      case "thinking_delta":
        return [this.#part({ type: "reasoning", content: stringOf(delta.thinking) })];
      case "signature_delta":
        return [this.#part({ type: "reasoning", content: "", signature: stringOf(delta.signature) })];
      case "input_json_delta": {
        const json = stringOf(delta.partial_json);
        if (json !== "") return [this.#coming({ type: "arguments", at: this.at, json })];
        this.#queue.push(piece);
        return [];
      }
      default:
        return [{ type: "event", name: `content_block_delta/${this.at}`, value: delta }];
    }
  }

  /** Reads the end of the block, and what had to be whole before it is told. */
  stop(stop: BlockEvent): readonly Delta[] {
    this.#stop = stop;
    const end = { type: "part_end", at: this.at } as const;
    if (this.#held === undefined) return [end];
    const input = this.#json === "" ? this.#block.input : parsed(this.#json);
    return [this.#part(serverCall({ ...this.#block, input })), end];
  }

  /** @param raw the event that the delta was read from, where it comes through as it was. */
  write(delta: Delta, raw: BlockEvent | undefined): void {
    if (delta.type === "part_end") {
      this.#ended = true;
      this.#over = this.#said.even;
      return;
    }
    if (delta.type !== "event") this.#said.goes(keyOf(delta));
    this.#through = true;
    if (raw === undefined) this.#fresh(delta);
    else if (raw === this.#start) this.#head = [raw];
    else if (raw !== this.#stop) this.#queue.push(raw);
    else if (this.#held !== undefined) this.#queue.push(...this.#held);
  }

  /** Settles the block, once all that came was given to the layers: one that told its end, and held nothing back, is over. */
  settle(): void {
    if (this.#stop !== undefined && this.#said.even) this.#over = true;
  }

  /** Ends the block: nothing more comes through. */
  end(): void {
    this.#over = true;
  }

  /** Whether it shows at all. A block of which all was taken out does not. */
  get #shows(): boolean {
    return this.#through || (this.#over && !this.#said.came);
  }

  /** Whether `take` would give something, or the block is over. */
  get waits(): boolean {
    return this.#over || (this.#shows && (!this.#begun || this.#queue.length > 0));
  }

  /** The events that can be sent, the start first. */
  take(): readonly BlockEvent[] {
    if (!this.#shows) return none;
    if (this.#begun && !this.#over) return this.#queue.splice(0);
    const head = this.#begun ? [] : this.#head;
    this.#begun = true;
    const end = this.#over ? (this.#stop ?? (this.#isMade ? made : undefined)) : undefined;
    return [...head, ...this.#queue.splice(0), ...(end === undefined ? [] : [end])];
  }

  #part(part: Part): Delta {
    return this.#coming({ type: "part", at: this.at, part });
  }

  #coming(delta: Delta): Delta {
    this.#said.comes(keyOf(delta));
    return delta;
  }

  #fresh(delta: Delta): void {
    const piece = pieceOf(delta);
    if (delta.type === "event" && delta.name.startsWith(began)) {
      if (!this.#begun) this.#head = [startOf(jsonOf(delta.value))];
    } else if (piece !== undefined) {
      if (this.#head.length === 0 && delta.type === "part") this.#head = beginning(delta.part);
      // An empty one says as much as the beginning does.
      if (keyOf(delta) !== "" || delta.type === "event")
        this.#queue.push({ body: { type: "content_block_delta", delta: piece } });
    } else if (delta.type === "part") {
      const events = beginning(delta.part);
      if (this.#begun) this.#queue.push(...events.slice(1));
      else this.#head = events;
    }
  }
}

const none: readonly BlockEvent[] = [];
const began = "content_block_start/";
const made: BlockEvent = { body: { type: "content_block_stop" } };

/** The beginning of a block of a layer's own: text and reasoning empty, since pieces follow; anything else as it is. */
function beginning(part: Part): readonly BlockEvent[] {
  if (part.type === "text") return [startOf({ type: "text", text: "" })];
  if (part.type === "reasoning") return [startOf({ type: "thinking", thinking: "", signature: "" })];
  const block = writeBlock(part) ?? {};
  const [start, ...pieces] = piecesOf(block);
  const filled = Object.keys(jsonOf(block.input)).length > 0;
  return [
    startOf(start ?? block),
    ...(filled ? pieces : []).map((delta) => ({ body: { type: "content_block_delta", delta } })),
  ];
}

/** The beginning of a block of which pieces may follow, without what it says of itself already: that goes through the layers. */
function emptied(start: BlockEvent): BlockEvent {
  const block = jsonOf(start.body.content_block);
  const field = fields[stringOf(block.type)];
  if (field === undefined) return start;
  const says = field === "input" ? Object.keys(jsonOf(block.input)).length > 0 : stringOf(block[field]) !== "";
  if (!says) return start;
  const content_block = { ...block, [field]: field === "input" ? {} : "" };
  return { body: { ...start.body, content_block } };
}

const fields: Readonly<Record<string, string>> = { text: "text", thinking: "thinking", tool_use: "input" };

const startOf = (content_block: Json): BlockEvent => ({ body: { type: "content_block_start", content_block } });

/** The text of a delta by which it is told whether all that came went out again. */
function keyOf(delta: Delta): string {
  if (delta.type === "arguments") return delta.json;
  if (delta.type !== "part") return "";
  const { part } = delta;
  if (part.type === "text") return part.content;
  if (part.type === "reasoning") return part.content + (part.signature === undefined ? "" : `\n${part.signature}`);
  return JSON.stringify(part);
}

/** A piece of a block; none where the whole of it is told at once. */
function pieceOf(delta: Delta): Json | undefined {
  if (delta.type === "event") return jsonOf(delta.value);
  if (delta.type === "arguments") return { type: "input_json_delta", partial_json: delta.json };
  if (delta.type !== "part") return undefined;
  const { part } = delta;
  if (part.type === "text") return { type: "text_delta", text: part.content };
  if (part.type !== "reasoning") return undefined;
  if (part.content === "" && part.signature !== undefined)
    return { type: "signature_delta", signature: part.signature };
  return { type: "thinking_delta", thinking: part.content };
}

const isServerCall = ({ type }: Json): boolean => type === "server_tool_use" || type === "mcp_tool_use";

export const asEvent = ({ body, raw }: BlockEvent, index: number): ServerEvent =>
  raw !== undefined && body.index === index ? raw : eventOf({ ...body, index }, stringOf(body.type));
