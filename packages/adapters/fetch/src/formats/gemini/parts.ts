import type { Message, Part } from "@suite/core";
import { isJson, type Json, jsonOf, objectsOf, stringOf, unknownFields } from "../../json.js";
import type { Outgoing, Remember } from "../../neutral/format.js";
import { addressOf, isMedia, mediaOf } from "../../neutral/media.js";

/** Fields that are read, or in which nobody says anything. */
const plain: ReadonlySet<string> = new Set(["text", "thought", "thoughtSignature"]);
const ofCall: ReadonlySet<string> = new Set(["functionCall", "thoughtSignature"]);
const ofResponse: ReadonlySet<string> = new Set(["functionResponse"]);

/** The part of a piece of content. What it says beside its text is there for guards to see. */
export function partOf(wire: Json): Part {
  const native = (known: ReadonlySet<string>) => unknownFields(wire, known) && { native: wire };
  if (typeof wire.text === "string") {
    if (wire.thought !== true) return { type: "text", content: wire.text, ...native(plain) };
    const signature = stringOf(wire.thoughtSignature);
    return { type: "reasoning", content: wire.text, ...(signature !== "" && { signature }), ...native(plain) };
  }
  if (isJson(wire.functionCall)) {
    const { id, name, args } = wire.functionCall;
    return {
      type: "tool_call",
      id: stringOf(id ?? name),
      name: stringOf(name),
      arguments: args ?? {},
      ...native(ofCall),
    };
  }
  if (isJson(wire.functionResponse)) {
    const { id, name, response } = wire.functionResponse;
    return { type: "tool_call_response", id: stringOf(id ?? name), response: response ?? "", ...native(ofResponse) };
  }
  if (isJson(wire.inlineData)) {
    const { mimeType, data } = wire.inlineData;
    return {
      type: "blob",
      modality: modalityOf(mimeType),
      mimeType: stringOf(mimeType),
      content: stringOf(data),
      native: wire,
    };
  }
  if (!isJson(wire.fileData)) return { type: "native", value: wire };
  const { mimeType, fileUri } = wire.fileData;
  return mediaOf(modalityOf(mimeType), stringOf(fileUri), wire);
}

const modalityOf = (mimeType: unknown): string => {
  const [kind = ""] = stringOf(mimeType).split("/", 1);
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
};

/** The piece of content of a part that was changed, or made by a layer. What signs a call stays with it. */
export function writePart(part: Part, before: Json = {}, isHistory = false): Json {
  switch (part.type) {
    case "text":
      return { text: part.content };
    case "reasoning":
      return { text: part.content, thought: true };
    case "tool_call": {
      const { thoughtSignature, functionCall } = before;
      // What Google signed goes back as it was.
      if (thoughtSignature !== undefined && isHistory) return before;
      const named = "id" in jsonOf(functionCall) || part.id !== part.name;
      const call = { ...(named && { id: part.id }), name: part.name, args: argumentsOf(part.arguments) };
      return { functionCall: call, ...(thoughtSignature !== undefined && { thoughtSignature }) };
    }
    case "tool_call_response": {
      const { name, ...rest } = jsonOf(before.functionResponse);
      const response = isJson(part.response) ? part.response : { output: part.response };
      return { functionResponse: { ...rest, name: name ?? part.id, response } };
    }
    case "native":
      return jsonOf(part.value);
    default:
      if (!isMedia(part)) return { text: JSON.stringify(part) };
      if (part.type === "blob") return { inlineData: { mimeType: part.mimeType, data: part.content } };
      return { fileData: { fileUri: part.type === "uri" ? addressOf(part) : part.fileId } };
  }
}

/** Arguments are an object here. */
const argumentsOf = (args: unknown): Json => (isJson(args) ? args : { INVALID_JSON: args });

/** A turn of a history. */
export function messageOf(turn: Json, remember: Remember, role?: Message["role"], origin: unknown = turn): Message {
  const parts = objectsOf(turn.parts).map((wire) => remember(partOf(wire), wire));
  const answers = parts.length > 0 && parts.every(({ type }) => type === "tool_call_response");
  const own = turn.role === "model" ? "assistant" : answers ? "tool" : "user";
  return remember({ role: role ?? own, parts }, origin);
}

/** The turn of a message: what the wire said beside its parts stays. */
export function writeMessage({ message, same, before, origin }: Outgoing): unknown {
  if (same !== undefined) return same;
  const wire = jsonOf(before);
  const blocks = objectsOf(wire.parts);
  const inPlace = blocks.length === message.parts.length;
  const parts = message.parts.map(
    (part, index) => origin(part) ?? writePart(part, inPlace ? blocks[index] : undefined, true),
  );
  return { role: message.role === "assistant" ? "model" : "user", ...wire, parts };
}
