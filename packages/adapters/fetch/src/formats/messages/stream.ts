import type { Part } from "@suite/core";
import type { Draft, Edit, Place } from "@suite/core/editor";
import type { FinishDelta } from "@suite/core/messages";
import { latestUsage, toMessagesStopReason } from "@suite/wire";
import { refused } from "../../errors.js";
import { type Json, jsonOf, numberOf, objectsOf, stringOf } from "../../json.js";
import { AnswerEvents } from "../../neutral/answer-events.js";
import { keepSigned } from "../../neutral/signed.js";
import type { ServerEvent } from "../../sse/event.js";
import { blockEvents, finishOf, ofMessage, readBlock } from "./answer.js";
import { blockShapes } from "./blocks.js";

/** The kind of each delta, and the field that contains its string. */
const pieces: Readonly<Record<string, readonly ["text" | "reasoning" | "arguments", field: string]>> = {
  __proto__: null as never,
  text_delta: ["text", "text"],
  thinking_delta: ["reasoning", "thinking"],
  input_json_delta: ["arguments", "partial_json"],
  compaction_delta: ["reasoning", "content"],
};
const fields: Readonly<Record<Place["kind"], readonly [type: string, field: string]>> = {
  text: ["text_delta", "text"],
  reasoning: ["thinking_delta", "thinking"],
  arguments: ["input_json_delta", "partial_json"],
};

/** The names of the events that Anthropic's client reads. It skips events with another name or without one. */
const namesRead: ReadonlySet<string> = new Set([
  ...["message_start", "message_delta", "message_stop", "message", "completion", "error"],
  ...["content_block_start", "content_block_delta", "content_block_stop"],
]);

/** The events of a streamed message. */
export class MessageStream extends AnswerEvents {
  readonly joinsAdded = false;
  override readonly unreadable: ServerEvent = { event: "message_delta", data: "{" };
  #message: Json = {};
  #count = 0;
  /** The indexes of blocks that a layer removed. */
  readonly #removed = new Set<number>();
  /** The signatures of blocks of thinking, by the names of their places. */
  readonly #signatures = new Map<string, unknown>();
  #finished = false;

  get finish(): FinishDelta {
    return finishOf(this.#message);
  }

  protected readBody(edit: Edit): void {
    const { body } = edit;
    switch (body.type) {
      case "error":
        throw refused(200, body);
      case "message_start":
        this.#start(edit, jsonOf(body.message) as Draft);
        return;
      case "message_delta":
        this.#end(edit, jsonOf(body.delta) as Draft);
        return;
      case "message_stop":
        edit.terminal = true;
        if (!this.#finished) edit.finish(this.finish);
        return;
      case "content_block_start":
      case "content_block_delta":
      case "content_block_stop":
        this.#block(edit, numberOf(body.index));
        return;
      default:
        edit.rest(stringOf(body.type), body, onlyType);
    }
  }

  override nameOf({ type, error }: Json): string | undefined {
    return stringOf(type) || (error ? "error" : undefined);
  }

  override isError({ event }: ServerEvent): boolean {
    return event === "error";
  }

  override ignores({ event }: ServerEvent): boolean {
    return event === undefined || !namesRead.has(event);
  }

  extra({ at, kind, body }: Place, text: string): Draft {
    const [type, field] = fields[kind];
    const delta =
      jsonOf(body.delta).type === "compaction_delta"
        ? { type: "compaction_delta", content: text }
        : { type, [field]: text };
    return { type: "content_block_delta", index: this.#shifted(Number(at.slice(1))), delta };
  }

  added(part: Part): readonly Draft[] {
    const block = blockShapes.write(part);
    return block === undefined ? [] : blockEvents(block, this.#count++ - this.#removed.size);
  }

  #start(edit: Edit, message: Draft): void {
    this.#message = message;
    edit.rest("message_start", message, ofMessage);
    if (objectsOf(message.content).length === 0) return;
    edit.value("message_start/content", message.content, (value) => {
      message.content = value ?? [];
    });
  }

  #end(edit: Edit, delta: Draft): void {
    const usage = latestUsage(jsonOf(this.#message.usage), jsonOf(edit.body.usage));
    const { context_management } = edit.body;
    this.#message = {
      ...this.#message,
      ...delta,
      usage,
      ...(context_management !== undefined && { context_management }),
    };
    this.#finished = true;
    edit.rest("message_delta", delta, ofMessage);
    edit.finish(this.finish, ({ finishReason }) => {
      delta.stop_reason = toMessagesStopReason(finishReason);
    });
  }

  #block(edit: Edit, index: number): void {
    const at = `b${index}`;
    const { body } = edit;
    if (body.type === "content_block_start") {
      this.#count = Math.max(this.#count, index + 1);
      readBlock(edit, jsonOf(body.content_block) as Draft, at, () => this.#removed.add(index), true);
    } else if (body.type === "content_block_delta") this.#piece(edit, jsonOf(body.delta) as Draft, at);
    else edit.end(at);
    edit.whenSent(() => {
      const place = edit.places.get(at);
      if (body.type === "content_block_stop" && place !== undefined && place.sent !== place.came) {
        keepSigned(this.#signatures.get(at), { thinking: place.came }, { thinking: place.sent });
      }
      edit.dropped = this.#removed.has(index);
      body.index = this.#shifted(index);
      return body.index !== index;
    });
  }

  /** The index of a block without the removed blocks before it. */
  #shifted(index: number): number {
    return index - [...this.#removed].filter((other) => other < index).length;
  }

  #piece(edit: Edit, delta: Draft, at: string): void {
    const piece = pieces[stringOf(delta.type)];
    if (piece !== undefined) edit.text(at, piece[0], delta, piece[1]);
    else if (delta.type === "signature_delta") {
      this.#signatures.set(at, delta.signature);
      edit.note(at, { type: "reasoning", content: "", signature: stringOf(delta.signature) });
    } else edit.rest(`content_block_delta/${at}`, delta, onlyType);
  }
}

const onlyType: ReadonlySet<string> = new Set(["type"]);
