import type { ModelRequest, Part } from "@suite/core";
import type { Draft, Edit, PlaceKind } from "@suite/core/editor";
import type { FinishDelta } from "@suite/core/messages";
import {
  messagesContextEdits,
  messagesFinishReason,
  messagesUsage,
  toMessagesStopReason,
  toMessagesUsage,
} from "@suite/wire";
import { isJson, type Json, jsonOf, objectsOf, stringOf } from "../../json.js";
import { clearCopies, finishMark, readArguments, replaceFields } from "../../neutral/edits.js";
import { keepSigned } from "../../neutral/signed.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { blockShapes } from "./blocks.js";

/** The finish mark of a message. */
export function finishOf(message: Json): FinishDelta {
  const reason = stringOf(message.stop_reason);
  const usage = isJson(message.usage) ? messagesUsage(message.usage) : undefined;
  const mark = finishMark(usage, reason === "" ? undefined : messagesFinishReason(reason), message.id, message.model);
  return { ...mark, response: { ...mark.response, ...messagesContextEdits(message.context_management) } };
}

/** The fields of a message, or of the delta of one, that are read or hold no text of the model. */
export const ofMessage: ReadonlySet<string> = new Set([
  ...["id", "type", "role", "model", "content", "usage", "stop_reason", "stop_sequence", "container"],
  "context_management",
]);
const ofText: ReadonlySet<string> = new Set(["type", "text"]);

/**
 * Registers the strings of a content block: a whole one, or the beginning of one in a stream.
 *
 * @param remove removes the block, if a layer takes its call out
 * @param starts true if deltas follow. Some clients read only them, so an empty string here takes no text of theirs.
 */
export function readBlock(edit: Edit, block: Draft, at: string, remove: () => void, starts = false): void {
  const text = (kind: PlaceKind, key: string): void => {
    if (!starts || block[key] !== "") edit.text(at, kind, block, key);
  };
  switch (block.type) {
    case "text":
      edit.begin(at, "text");
      text("text", "text");
      edit.rest(`${at}/rest`, block, ofText);
      clearCopies(edit, at, block, "citations", null);
      return;
    case "thinking":
      edit.begin(at, "reasoning");
      text("reasoning", "thinking");
      edit.whenSent(() => {
        if (edit.differsIn(at))
          keepSigned(block.signature, { thinking: edit.places.get(at)?.came }, { thinking: block.thinking });
        return false;
      });
      if (block.signature) edit.note(at, { type: "reasoning", content: "", signature: stringOf(block.signature) });
      return;
    case "redacted_thinking":
      edit.note(at, { type: "reasoning", content: "", signature: stringOf(block.data) });
      return;
    case "compaction":
      text("reasoning", "content");
      return;
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      readCall(edit, block, at, remove);
      return;
    default:
      edit.wholePart(at, blockShapes.read(block), (part) => {
        const other = part && blockShapes.write(part);
        if (other === undefined) return remove();
        replaceFields(block, other);
      });
  }
}

/** Registers a call. In a stream its input follows in pieces, as JSON. */
function readCall(edit: Edit, block: Draft, at: string, remove: () => void): void {
  const { input, ...head } = block;
  const part = blockShapes.read(head.type === "tool_use" ? head : { ...head, input: {} });
  edit.part(at, part, (other) => {
    if (other?.type === "tool_call") Object.assign(block, { id: other.id, name: other.name });
    else if (other?.type === "server_tool_call") Object.assign(block, { ...other.serverToolCall, input: block.input });
    else remove();
  });
  if (isJson(input) && Object.keys(input).length > 0) readArguments(edit, at, block, "input", true);
}

/** Registers a whole message. */
export function answer(edit: Edit): void {
  const { body } = edit;
  for (const [index, block] of (objectsOf(body.content) as Draft[]).entries()) {
    readBlock(edit, block, `b${index}`, () => {
      body.content = objectsOf(body.content).filter((each) => each !== block);
    });
  }
  edit.rest("extra", body, ofMessage);
  edit.finish(finishOf(body), ({ finishReason, usage }) => {
    body.stop_reason = toMessagesStopReason(finishReason);
    if (usage !== undefined) body.usage = { ...jsonOf(body.usage), ...toMessagesUsage(usage) };
  });
}

/** Appends a part that a layer made. */
export function append(body: Draft, part: Part): void {
  const block = blockShapes.write(part);
  if (block !== undefined) body.content = [...objectsOf(body.content), block];
}

export const empty = ({ model }: ModelRequest): Draft => ({
  id: "",
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 0, output_tokens: 0 },
});

/** Returns a whole block as the bodies of a stream's events. */
export function blockEvents(block: Json, index: number): readonly Draft[] {
  const [start, ...deltas] = piecesOf(block);
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

/** The block's beginning, empty if pieces follow, and its pieces. */
function piecesOf(block: Json): readonly Json[] {
  if (block.type === "text")
    return [
      { ...block, text: "" },
      { type: "text_delta", text: block.text },
    ];
  if (block.type === "thinking") {
    const { thinking, signature = "" } = block;
    const start = { ...block, thinking: "", signature: "" };
    return [start, { type: "thinking_delta", thinking }, { type: "signature_delta", signature }];
  }
  if (!("input" in block)) return [block];
  return [
    { ...block, input: {} },
    { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
  ];
}

/** Returns a whole message as the events of a stream. */
export function events(body: Json): readonly ServerEvent[] {
  const { content, stop_reason, stop_sequence, usage, ...head } = body;
  const bodies: readonly Json[] = [
    {
      type: "message_start",
      message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage },
    },
    ...objectsOf(content).flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ];
  return bodies.map((each) => eventOf(each, stringOf(each.type)));
}
