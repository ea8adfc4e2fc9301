import type { Delta, Part } from "@suite/core";
import { type Json, jsonOf, parsed, stringOf } from "../../json.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { piecesOf } from "./answer.js";
import { partOf, serverCall, writeBlock } from "./blocks.js";

/** An event of a block; its index is given when it is sent. */
export interface BlockEvent {
  readonly body: Json;
  /** As it came, where it did. */
  readonly raw?: ServerEvent;
}

/** One content block of a stream, from the provider to the client. */
export class Block {
  readonly at: string;
  readonly #start: BlockEvent | undefined;
  /** How it begins where it is sent. */
  #head: readonly BlockEvent[];
  #stop: BlockEvent | undefined;
  /** A block whose input nobody else may see in pieces: it goes through the layers when it is whole. */
  readonly #held: BlockEvent[] | undefined;
  #json = "";
  /** What came of its text and arguments, and what was let through. */
  #came = "";
  #went = "";
  #through = false;
  #begun = false;
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

  /** Whether all of it has come, and all that came went through as it was: no piece of it can follow. */
  get complete(): boolean {
    return this.#stop !== undefined && this.#came === this.#went;
  }

  /** Whether anything of it may be shown: all of what came may have been taken out. */
  get shows(): boolean {
    return this.#through || (this.#came === "" && this.#stop !== undefined);
  }

  /** What its beginning says. */
  begin(): Delta | undefined {
    const block = this.#block;
    if (this.#held !== undefined) return undefined;
    const part = partOf(block);
    if ((part.type === "text" || part.type === "reasoning") && part.content === "" && !("native" in part)) {
      return undefined;
    }
    return this.#part(part.type === "tool_call" ? { ...part, arguments: {} } : part);
  }

  /** What a piece of it says. */
  piece(delta: Json, piece: BlockEvent): Delta | undefined {
    if (this.#held !== undefined) {
      this.#held.push(piece);
      this.#json += stringOf(delta.partial_json);
      return undefined;
    }
    switch (delta.type) {
      case "text_delta":
        return this.#part({ type: "text", content: stringOf(delta.text) });
      case "thinking_delta":
        return this.#part({ type: "reasoning", content: stringOf(delta.thinking) });
      case "signature_delta":
        return this.#part({ type: "reasoning", content: "", signature: stringOf(delta.signature) });
      case "input_json_delta": {
        const json = stringOf(delta.partial_json);
        this.#json += json;
        if (json !== "") return this.#coming({ type: "arguments", at: this.at, json });
        this.#queue.push(piece);
        return undefined;
      }
      default:
        return { type: "event", name: `content_block_delta/${this.at}`, value: delta };
    }
  }

  /** What it says where it had to be whole. */
  stop(stop: BlockEvent): Delta | undefined {
    this.#stop = stop;
    if (this.#held === undefined) return this.#unstreamed();
    const input = this.#json === "" ? this.#block.input : parsed(this.#json);
    return this.#part(serverCall({ ...this.#block, input }));
  }

  /** Arguments that the beginning has told whole, and no piece after it. */
  #unstreamed(): Delta | undefined {
    const { type, input } = this.#block;
    if (type !== "tool_use" || this.#json !== "" || Object.keys(jsonOf(input)).length === 0) return undefined;
    return this.#coming({ type: "arguments", at: this.at, json: JSON.stringify(input) });
  }

  /** @param raw the event that the delta was read from, where it comes through as it was. */
  write(delta: Delta, raw: BlockEvent | undefined): void {
    if (delta.type !== "event") this.#went += keyOf(delta);
    this.#through = true;
    if (raw !== undefined && raw === this.#start) {
      if (delta.type === "part" && "content" in delta.part) this.#head = [raw];
    } else if (raw !== undefined && raw === this.#stop && this.#held !== undefined) this.#queue.push(...this.#held);
    else if (raw !== undefined && raw !== this.#stop) this.#queue.push(raw);
    else this.#fresh(delta);
  }

  /** The events that can be sent, the start first. */
  take(): readonly BlockEvent[] {
    return this.#through ? this.#events() : [];
  }

  /** The end, when nothing follows any more. */
  last(): readonly BlockEvent[] {
    return [...this.#events(), this.#stop ?? { body: { type: "content_block_stop" } }];
  }

  #events(): readonly BlockEvent[] {
    const head = this.#begun ? [] : this.#head;
    this.#begun = true;
    return [...head, ...this.#queue.splice(0)];
  }

  #part(part: Part): Delta {
    return this.#coming({ type: "part", at: this.at, part });
  }

  #coming(delta: Delta): Delta {
    this.#came += keyOf(delta);
    return delta;
  }

  #fresh(delta: Delta): void {
    const piece = pieceOf(delta);
    if (delta.type === "part" && (piece === undefined || this.#head.length === 0)) this.#head = beginning(delta.part);
    if (piece !== undefined) this.#queue.push({ body: { type: "content_block_delta", delta: piece } });
  }
}

/** How a block of a layer's own begins: text and reasoning empty, since pieces follow; anything else as it is. */
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

/** By which it is told whether all that came went out again. */
function keyOf(delta: Delta): string {
  if (delta.type === "arguments") return delta.json;
  if (delta.type !== "part") return "";
  const { part } = delta;
  if (part.type === "text") return part.content;
  if (part.type === "reasoning") return part.content + (part.signature === undefined ? "" : `\n${part.signature}`);
  return JSON.stringify(part);
}

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
