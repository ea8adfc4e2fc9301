import type { ModelRequest, Part } from "@suite/core";
import type { Draft, Edit, KnownFields } from "@suite/core/editor";
import type { FinishDelta } from "@suite/core/messages";
import { chatFinishReason, chatUsage, toChatFinishReason, toChatUsage } from "@suite/wire";
import { inForm, isJson, isText, type Json, jsonOf, objectsOf, stringOf, textOfValue } from "../../json.js";
import { finishMark, keepSignedText } from "../../neutral/edits.js";
import type { Calls } from "./calls.js";
import { callShapes } from "./content.js";

/** The finish mark of a whole completion, or of a chunk. */
export function finishOf(body: Json): FinishDelta {
  const reason = objectsOf(body.choices)
    .map(({ finish_reason }) => stringOf(finish_reason))
    .find((each) => each !== "");
  const usage = isJson(body.usage) ? chatUsage(body.usage) : undefined;
  return finishMark(usage, reason && chatFinishReason(reason), body.id, body.model);
}

/** The fields of a completion or chunk that hold no text of the model. */
export const ofBody: ReadonlySet<string> = new Set([
  ...["id", "object", "created", "model", "choices", "usage", "system_fingerprint", "service_tier", "obfuscation"],
]);
const always = (): boolean => true;
/** The fields of a choice that are read, or hold no text of the model. */
export const ofChoice: KnownFields = inForm({
  ...{ index: always, finish_reason: always, logprobs: always, content_filter_results: always },
  ...{ message: isJson, delta: isJson, text: isText },
});
const isTextOrList = (value: unknown): boolean => isText(value) || Array.isArray(value);
/** The fields of a message or delta that are read. In another form they are shown as unknown fields. */
const ofMessage: KnownFields = inForm({
  ...{ role: always, content: isTextOrList, refusal: isText, tool_calls: Array.isArray, function_call: isJson },
  ...{ reasoning_content: isText, reasoning: isText, reasoning_details: Array.isArray, audio: isJson },
});
/** The fields of an entry of `reasoning_details`, as OpenRouter sends them. */
const ofDetail: ReadonlySet<string> = new Set([
  ...["type", "text", "summary", "id", "format", "index", "signature", "data"],
]);
const ofAudio: ReadonlySet<string> = new Set(["id", "transcript", "data", "expires_at"]);
const ofContent: ReadonlySet<string> = new Set(["type", "text", "thinking", "refusal", "closed"]);

/** Registers the strings of a message, or of the next piece of one. */
export function readMessage(edit: Edit, message: Draft, choice: string, calls: Calls): void {
  const at = (field: string): string => `${choice}/${field}`;
  // Reasoning ends when text begins, so that it is not held back until the end of the answer.
  if (isText(message.content) && message.content !== "") endReasoning(edit, choice);
  edit.rest(`chat.completion.chunk/${choice}`, message, ofMessage);
  edit.text(at("reasoning_content"), "reasoning", message, "reasoning_content");
  // Some servers send the same text under both names, and once more in the details.
  edit.text(at("reasoning"), "reasoning", message, "reasoning", at("reasoning_content"));
  for (const [index, detail] of (objectsOf(message.reasoning_details) as Draft[]).entries()) {
    for (const field of ["text", "summary"]) {
      edit.text(at("reasoning_details"), "reasoning", detail, field, at("reasoning"));
    }
    keepSignedText(edit, at("reasoning_details"), detail.signature, detail, "text");
    edit.rest(at(`reasoning_details/${index}`), detail, ofDetail);
  }
  if (Array.isArray(message.content)) readContent(edit, objectsOf(message.content) as Draft[], at);
  else edit.text(at("content"), "text", message, "content");
  edit.text(at("refusal"), "text", message, "refusal");
  if (isJson(message.audio)) {
    edit.text(at("audio"), "text", message.audio as Draft, "transcript");
    edit.rest(at("audio/rest"), message.audio as Draft, ofAudio);
  }
  calls.read(edit, message, choice);
}

function endReasoning(edit: Edit, choice: string): void {
  for (const field of ["reasoning_content", "reasoning", "reasoning_details", "thinking"]) {
    const at = `${choice}/${field}`;
    if (edit.places.has(at)) edit.end(at);
  }
}

/** Registers content that is a list, as Mistral's reasoning models send it. Clients join its text. */
function readContent(edit: Edit, content: readonly Draft[], at: (field: string) => string): void {
  for (const [index, piece] of content.entries()) {
    edit.text(at("content"), "text", piece, "text");
    edit.text(at("refusal"), "text", piece, "refusal");
    if (Array.isArray(piece.thinking)) {
      for (const thought of objectsOf(piece.thinking) as Draft[])
        edit.text(at("thinking"), "reasoning", thought, "text");
    } else edit.text(at("thinking"), "reasoning", piece, "thinking");
    edit.rest(at(`content/${index}`), piece, ofContent);
  }
}

/** Replaces the finish reason and the usage of a completion or chunk. */
export function writeFinish(body: Draft, { finishReason, usage }: FinishDelta): void {
  for (const choice of objectsOf(body.choices) as Draft[]) {
    if (choice.finish_reason && finishReason !== undefined) choice.finish_reason = toChatFinishReason(finishReason);
  }
  if (usage !== undefined) body.usage = { ...jsonOf(body.usage), ...toChatUsage(usage) };
}

/** The fields of a message that a part made by a layer becomes. */
export function fieldsOfPart(part: Part): Json | undefined {
  if (part.type === "text") return part.content === "" ? undefined : { content: part.content };
  if (part.type === "reasoning") return part.content === "" ? undefined : { reasoning_content: part.content };
  return part.type === "native" ? jsonOf(part.value) : { content: textOfValue(part) };
}

/** Appends a part that a layer made. */
export function append(body: Draft, part: Part): void {
  const message = (objectsOf(body.choices)[0]?.message ?? {}) as Draft;
  if (part.type === "text") message.content = `${stringOf(message.content)}${part.content}`;
  else if (part.type === "tool_call") message.tool_calls = [...objectsOf(message.tool_calls), callShapes.write(part)];
  else Object.assign(message, fieldsOfPart(part));
}

export const empty = ({ model }: ModelRequest): Draft => ({
  id: "",
  object: "chat.completion",
  created: Math.floor(Date.now() / 1000),
  model,
  choices: [
    { index: 0, message: { role: "assistant", content: null, refusal: null }, logprobs: null, finish_reason: "stop" },
  ],
});
