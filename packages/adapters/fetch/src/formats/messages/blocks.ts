import { type Part, toolContentOf } from "@suite/core";
import { isJson, type Json, jsonOf, parsed, stringOf, textOfValue, unknownFields } from "../../json.js";
import { addressOf, isMedia, type Media, mediaOf } from "../../neutral/media.js";

/** Fields that are read, and those in which nobody says anything. */
const plain: ReadonlySet<string> = new Set(["type", "text", "cache_control", "thinking", "signature"]);
const called: ReadonlySet<string> = new Set(["type", "id", "name", "input", "cache_control", "caller"]);
const answered: ReadonlySet<string> = new Set(["type", "tool_use_id", "content", "is_error", "cache_control"]);

/** The part of a content block. What it says beside its text is there for guards to see. */
export function partOf(block: Json): Part {
  const native = (known: ReadonlySet<string>) => unknownFields(block, known) && { native: block };
  switch (block.type) {
    case "text":
      return { type: "text", content: stringOf(block.text), ...native(plain) };
    case "thinking": {
      const signature = stringOf(block.signature);
      return { type: "reasoning", content: stringOf(block.thinking), ...(signature !== "" && { signature }) };
    }
    case "redacted_thinking":
      return { type: "reasoning", content: "", signature: stringOf(block.data) };
    case "tool_use": {
      const { id, name, input } = block;
      return { type: "tool_call", id: stringOf(id), name: stringOf(name), arguments: input ?? {}, ...native(called) };
    }
    case "tool_result":
      return {
        type: "tool_call_response",
        id: stringOf(block.tool_use_id),
        response: block.content ?? "",
        ...(block.is_error === true && { isError: true }),
        ...native(answered),
      };
    case "server_tool_use":
    case "mcp_tool_use":
      return serverCall(block);
    case "image":
    case "document":
      return sourced(block) ?? { type: "native", value: block };
    default:
      if (typeof block.tool_use_id !== "string") return { type: "native", value: block };
      return {
        type: "server_tool_call_response",
        id: block.tool_use_id,
        serverToolCallResponse: { ...block, type: stringOf(block.type) },
      };
  }
}

/** A call of a tool that the provider runs. */
export const serverCall = (block: Json): Part => ({
  type: "server_tool_call",
  id: stringOf(block.id),
  name: stringOf(block.name),
  serverToolCall: { ...block, type: stringOf(block.type) },
});

function sourced(block: Json): Media | undefined {
  const { type, media_type, data, url, file_id } = jsonOf(block.source);
  const modality = stringOf(block.type);
  if (type === "base64") {
    return { type: "blob", modality, mimeType: stringOf(media_type), content: stringOf(data), native: block };
  }
  if (type === "url") return mediaOf(modality, stringOf(url), block);
  return type === "file" ? { type: "file", modality, fileId: stringOf(file_id), native: block } : undefined;
}

/** The block of a part that was changed, or made by a layer; none of reasoning that nobody signed. */
export function writeBlock(part: Part, before: Json = {}): Json | undefined {
  const { cache_control } = before;
  const cached = cache_control ? { cache_control } : undefined;
  switch (part.type) {
    case "text":
      return { type: "text", text: part.content, ...cached };
    case "reasoning":
      return part.signature === undefined
        ? undefined
        : { type: "thinking", thinking: part.content, signature: part.signature };
    case "tool_call":
      return { type: "tool_use", id: part.id, name: part.name, input: inputOf(part.arguments), ...cached };
    case "tool_call_response": {
      const parts = toolContentOf(part.response)?.map((each) => writeBlock(each));
      const content = parts ?? (Array.isArray(part.response) ? part.response : textOfValue(part.response));
      return { type: "tool_result", tool_use_id: part.id, content, ...(part.isError && { is_error: true }), ...cached };
    }
    case "server_tool_call":
      return part.serverToolCall;
    case "server_tool_call_response":
      return part.serverToolCallResponse;
    case "native":
      return jsonOf(part.value);
    default:
      return isMedia(part) ? { ...writeMedia(part), ...cached } : { type: "text", text: textOfValue(part) };
  }
}

/** Arguments are an object here. */
function inputOf(args: unknown): Json {
  const value = parsed(args);
  return isJson(value) ? value : { INVALID_JSON: textOfValue(args) };
}

function writeMedia(part: Media): Json {
  const type = part.modality === "image" ? "image" : "document";
  if (part.type === "file") return { type, source: { type: "file", file_id: part.fileId } };
  if (part.type === "uri") return { type, source: { type: "url", url: addressOf(part) } };
  return { type, source: { type: "base64", media_type: part.mimeType, data: part.content } };
}
