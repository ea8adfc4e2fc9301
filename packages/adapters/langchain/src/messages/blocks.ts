import { type Part, text } from "@suite/core";
import type { Modality } from "@suite/core/messages";
import { isRecord } from "@suite/kit";

/** Converts a content block of LangChain, of a provider, or of an earlier version of either, to a part. */
export function partOf(block: unknown): Part {
  if (typeof block === "string") return text(block);
  if (!isRecord(block)) return { type: "native", value: block };
  const native = { block };
  switch (block.type) {
    case "text":
    case "text_delta":
      return typeof block.text === "string" ? { type: "text", content: block.text, native } : other(block);
    case "reasoning":
    case "thinking": {
      const content = block.reasoning ?? block.thinking;
      const { signature } = block;
      if (typeof content !== "string" && typeof signature !== "string") return other(block);
      const signed = typeof signature === "string" ? { signature } : {};
      return { type: "reasoning", content: typeof content === "string" ? content : "", ...signed, native };
    }
    case "image_url":
      return uri(urlOf(block.image_url), "image", native) ?? other(block);
    case "image":
    case "audio":
    case "video":
    case "file":
    case "text-plain":
      return media(block) ?? other(block);
    default:
      return other(block);
  }
}

/**
 * Converts a part to a content block. Unchanged parts return their original block. Returns `undefined` for parts that
 * are not content.
 */
export function blockOf(part: Part): unknown {
  if (part.type === "native") return part.value;
  if ("native" in part && isRecord(part.native) && "block" in part.native) return part.native.block;
  switch (part.type) {
    case "text":
      return { type: "text", text: part.content };
    case "reasoning":
      return part.signature === undefined
        ? { type: "reasoning", reasoning: part.content }
        : { type: "thinking", thinking: part.content, signature: part.signature };
    case "blob":
      return { type: mediaType(part.modality), data: part.content, ...mime(part.mimeType) };
    case "uri":
      return { type: mediaType(part.modality), url: part.uri, ...mime(part.mimeType) };
    case "file":
      return { type: mediaType(part.modality), fileId: part.fileId, ...mime(part.mimeType) };
    case "compaction":
      return { type: "text", text: part.content ?? "" };
    case "server_tool_call":
      return { id: part.id, name: part.name, ...part.serverToolCall };
    case "server_tool_call_response":
      return { id: part.id, ...part.serverToolCallResponse };
    default:
      return undefined;
  }
}

const other = (block: unknown): Part => ({ type: "native", value: block });

/** Converts a block with data, with the names of the current and of the earlier standard. */
function media(block: Record<string, unknown>): Part | undefined {
  const modality: Modality =
    block.type === "file" || block.type === "text-plain" ? "document" : (block.type as Modality);
  const mimeType = block.mimeType ?? block.mime_type;
  const about = { modality, ...mime(mimeType), native: { block } };
  if (typeof block.data === "string") return { type: "blob", content: block.data, ...about };
  if (typeof block.url === "string") return uri(block.url, modality, { block });
  if (typeof block.text === "string") return { type: "text", content: block.text, native: { block } };
  const fileId = block.fileId ?? block.file_id ?? block.id;
  return typeof fileId === "string" ? { type: "file", fileId, ...about } : undefined;
}

function uri(url: string | undefined, modality: Modality, native: object): Part | undefined {
  if (url === undefined) return undefined;
  const data = /^data:([^;,]*);base64,/.exec(url.slice(0, 200));
  if (data === null) return { type: "uri", modality, uri: url, native };
  return { type: "blob", modality, ...mime(data[1]), content: url.slice(data[0].length), native };
}

const urlOf = (image: unknown): string | undefined =>
  typeof image === "string" ? image : isRecord(image) && typeof image.url === "string" ? image.url : undefined;

const mime = (type: unknown): { mimeType?: string } =>
  typeof type === "string" && type !== "" ? { mimeType: type } : {};

const mediaType = (modality: Modality): string => (modality === "document" ? "file" : modality);
