import { CoreError } from "../errors.js";
import type { BlobPart, FilePart, TextPart, UriPart } from "./message.js";

/** A content part of a tool's result: text, an image, or another file. */
export type ContentPart = TextPart | BlobPart | FilePart | UriPart;

/**
 * The only key of tool content, which no other result has by chance. The object is plain JSON, so that stores and
 * suspensions keep it.
 */
const key = "@suite/tool-content";

/** A tool's result as content parts, created by `toolContent`. */
export interface ToolContent {
  readonly [key]: readonly ContentPart[];
}

/**
 * Creates a tool result from content parts, so that the model sees images and files instead of their JSON. A string
 * becomes a part of type `text`.
 *
 * @throws CoreError `ERR_INVALID_CONTENT` if a part is not text, blob, file or uri.
 * @example
 * ```ts
 * execute: async ({ url }) => {
 *   const png = await screenshot(url);
 *   return toolContent(["The page:", { type: "blob", modality: "image", mimeType: "image/png", content: png.toString("base64") }]);
 * }
 * ```
 */
export function toolContent(parts: readonly (string | ContentPart)[]): ToolContent {
  const content = parts.map((part): ContentPart => (typeof part === "string" ? { type: "text", content: part } : part));
  if (content.every(isContentPart)) return { [key]: content };
  throw new CoreError(
    "ERR_INVALID_CONTENT",
    "toolContent() takes strings, and parts of the types text, blob, file and uri. The content of a blob is base64 text.",
  );
}

/** Returns the content parts of a tool's result, or `undefined` for any other value. */
export function toolContentOf(result: unknown): readonly ContentPart[] | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  try {
    const parts: unknown = (result as Partial<ToolContent>)[key];
    if (!Array.isArray(parts) || Object.keys(result).length !== 1) return undefined;
    return parts.every(isContentPart) ? parts : undefined;
  } catch {
    return undefined; // a proxy that throws
  }
}

const isText = (value: unknown): boolean => typeof value === "string";

function isContentPart(value: unknown): value is ContentPart {
  if (typeof value !== "object" || value === null) return false;
  const part = value as {
    readonly [field in "type" | "content" | "modality" | "mimeType" | "fileId" | "uri"]?: unknown;
  };
  if (part.type === "text") return isText(part.content);
  if (!isText(part.modality) || (part.mimeType !== undefined && !isText(part.mimeType))) return false;
  if (part.type === "blob") return isText(part.content);
  return part.type === "file" ? isText(part.fileId) : part.type === "uri" && isText(part.uri);
}
