import type { FinishDelta, ModelRequest } from "@suite/core";
import { messagesFinishReason, messagesUsage, toMessagesStopReason, toMessagesUsage } from "@suite/wire";
import { isJson, type Json, jsonOf, objectsOf, stringOf } from "../../json.js";
import { extraSlot } from "../../neutral/extra-slot.js";
import type { AnswerView, Draft, Slot } from "../../neutral/format.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { partOf, writeBlock } from "./blocks.js";

/** The finish mark of a message, whole or as a stream has told it. */
export function finishOf(message: Json): FinishDelta {
  const reason = stringOf(message.stop_reason);
  return {
    type: "finish",
    ...(isJson(message.usage) && { usage: messagesUsage(message.usage) }),
    ...(reason !== "" && { finishReason: messagesFinishReason(reason) }),
    response: {
      ...(typeof message.id === "string" && { id: message.id }),
      ...(typeof message.model === "string" && { model: message.model }),
    },
  };
}

/** Fields that are read, or in which nobody says anything: of a message, and of what ends one that streams. */
export const ofBody: ReadonlySet<string> = new Set([
  ...["id", "type", "role", "model", "content", "usage", "stop_reason", "stop_sequence", "container"],
  "context_management",
]);

/** A whole message. */
export function answer(body: Draft): AnswerView {
  return {
    slots: [
      ...objectsOf(body.content).flatMap((block, index) => slotsOf(block as Draft, body, `b${index}`)),
      ...extraSlot("extra", body, ofBody),
    ],
    finish: finishOf(body),
    append(part) {
      const block = writeBlock(part);
      if (block !== undefined) body.content = [...objectsOf(body.content), block];
    },
    writeFinish({ finishReason, usage }) {
      body.stop_reason = toMessagesStopReason(finishReason);
      if (usage !== undefined) body.usage = { ...jsonOf(body.usage), ...toMessagesUsage(usage) };
    },
  };
}

const known: ReadonlySet<string> = new Set(["type", "text"]);

function slotsOf(block: Draft, body: Draft, at: string): readonly Slot[] {
  if (block.type === "text") {
    const text: Slot = {
      at,
      part: { type: "text", content: stringOf(block.text) },
      write(part) {
        block.text = part?.type === "text" ? part.content : "";
        if ("citations" in block) block.citations = null;
      },
    };
    return [text, ...extraSlot(`${at}/extra`, block, known)];
  }
  return [
    {
      at,
      part: partOf(block),
      write(part) {
        const other = part && writeBlock(part);
        body.content = objectsOf(body.content).flatMap((each) => (each === block ? (other ?? []) : [each]));
      },
    },
  ];
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

const event = (type: string, fields: object): ServerEvent => eventOf({ type, ...fields }, type);

/** A whole block as the events of a stream. */
function blockEvents(block: Json, index: number): readonly ServerEvent[] {
  const [start, ...deltas] = piecesOf(block);
  return [
    event("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
}

/** The block's beginning, empty where pieces can follow, and its pieces. */
export function piecesOf(block: Json): readonly Json[] {
  if (block.type === "text")
    return [
      { ...block, text: "" },
      { type: "text_delta", text: block.text },
    ];
  if (block.type === "thinking") {
    const { thinking, signature } = block;
    const start = { ...block, thinking: "", signature: "" };
    return [start, { type: "thinking_delta", thinking }, { type: "signature_delta", signature }];
  }
  if (!("input" in block)) return [block];
  return [
    { ...block, input: {} },
    { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
  ];
}

/** A whole message as a stream would have told it. */
export function events(body: Json): readonly ServerEvent[] {
  const { content, stop_reason, stop_sequence, usage, ...head } = body;
  return [
    event("message_start", { message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage } }),
    ...objectsOf(content).flatMap(blockEvents),
    event("message_delta", { delta: { stop_reason, stop_sequence }, usage }),
    event("message_stop", {}),
  ];
}

/** The event of an error in mid-stream. */
export const failure = (body: unknown): ServerEvent => eventOf(body, "error");
