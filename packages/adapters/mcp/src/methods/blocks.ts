import { type Part, text, toolCall, toolCallResponse } from "@suite/core";
import { type ContentPart, toolContentOf } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import type { Params } from "../protocol.js";

/** Converts the content of sampling messages, one block or several, to parts. */
export const partsOf = (content: unknown): readonly Part[] =>
  (Array.isArray(content) ? content : [content]).filter(isRecord).map(partOf);

function partOf(native: Params): Part {
  switch (native.type) {
    case "text":
      return { ...text(String(native.text)), native };
    case "image":
    case "audio":
      return {
        type: "blob",
        modality: native.type,
        content: String(native.data),
        ...(typeof native.mimeType === "string" && { mimeType: native.mimeType }),
        native,
      };
    case "tool_use":
      return { ...toolCall(String(native.id), String(native.name), native.input), native };
    case "tool_result":
      return {
        ...toolCallResponse(String(native.toolUseId), response(native), { isError: native.isError === true }),
        native,
      };
    default:
      return { type: "native", value: native };
  }
}

/** Content and structured content repeat each other, so a guard must see both. */
const response = ({ content, structuredContent }: Params): unknown =>
  structuredContent === undefined ? content : { content, structuredContent };

/** Converts parts to the content of a sampling message. Unchanged parts return their original block. */
export const blocksOf = (parts: readonly Part[]): readonly Params[] => parts.flatMap<Params>(blockOf);

function blockOf(part: Part): Params | readonly Params[] {
  if ("native" in part && isRecord(part.native)) return part.native;
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: "text", text: part.content };
    case "blob":
      return {
        type: part.modality === "audio" ? "audio" : "image",
        data: part.content,
        mimeType: part.mimeType ?? "application/octet-stream",
      };
    case "tool_call":
      return { type: "tool_use", id: part.id, name: part.name, input: part.arguments };
    case "tool_call_response":
      return {
        type: "tool_result",
        toolUseId: part.id,
        ...resultOf(part.response),
        ...(part.isError && { isError: true }),
      };
    case "native":
      return isRecord(part.value) ? part.value : [];
    default:
      // A sampling message cannot contain files and addresses.
      return [];
  }
}

/** Converts the content of a tool's result to blocks: images, audio, resources and links to resources. */
export const resultBlocks = (parts: readonly ContentPart[]): readonly Params[] => parts.map(resultBlock);

function resultBlock(part: ContentPart): Params {
  if (part.type === "text") return { type: "text", text: part.content };
  const { modality, mimeType = "application/octet-stream" } = part;
  if (part.type === "file") return { type: "text", text: `[a file that the provider holds: ${part.fileId}]` };
  if (part.type === "uri") {
    return { type: "resource_link", uri: part.uri, name: modality, ...(part.mimeType !== undefined && { mimeType }) };
  }
  if (modality === "image" || modality === "audio") return { type: modality, data: part.content, mimeType };
  return { type: "resource", resource: { uri: "urn:document", mimeType, blob: part.content } };
}

function resultOf(answer: unknown): Params {
  const parts = toolContentOf(answer);
  if (parts !== undefined) return { content: resultBlocks(parts) };
  if (Array.isArray(answer)) return { content: answer };
  if (isRecord(answer) && Array.isArray(answer.content)) return answer;
  return { content: [{ type: "text", text: typeof answer === "string" ? answer : (JSON.stringify(answer) ?? "") }] };
}
