import { type ContentPart, toolContentOf } from "@suite/core/messages";

/** Returns the result of a tool as the SDK accepts it, with content parts as its text, images and files. */
export function sdkResult(result: unknown): unknown {
  const parts = toolContentOf(result);
  if (parts === undefined) return result;
  return parts.length === 0 ? "" : parts.map(sdkPiece);
}

function sdkPiece(part: ContentPart): object {
  if (part.type === "text") return { type: "text", text: part.content };
  const { modality, mimeType: mediaType = "application/octet-stream" } = part;
  if (modality !== "image") return { type: "file", file: fileOf(part, mediaType) };
  if (part.type === "blob") return { type: "image", image: `data:${mediaType};base64,${part.content}` };
  return { type: "image", image: part.type === "uri" ? part.uri : { fileId: part.fileId } };
}

function fileOf(part: Exclude<ContentPart, { type: "text" }>, mediaType: string): object {
  if (part.type === "blob") return { data: part.content, mediaType, filename: "document" };
  return part.type === "uri" ? { url: part.uri } : { id: part.fileId };
}
