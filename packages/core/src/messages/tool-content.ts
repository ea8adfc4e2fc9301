import { CoreError } from "../errors.js";
import type { BlobPart, FilePart, TextPart, UriPart } from "./message.js";

/** A part that the result of a tool may have: text, an image, or another file. */
export type ContentPart = TextPart | BlobPart | FilePart | UriPart;

/** The one key of content, which no tool's own result has by chance. It is plain JSON, so that stores and suspensions keep it. */
const key = "@suite/tool-content";

/** The result of a tool as content parts, made by `toolContent`. */
export interface ToolContent {
  readonly [key]: readonly ContentPart[];
}

/**
 * Content parts as the result of a tool: the model sees images and files themselves, and not their JSON. A string is a text part.
 *
 * @throws CoreError `ERR_INVALID_CONTENT` where a part is none of text, blob, file and uri.
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
    "toolContent() takes texts, and parts of the types text, blob, file and uri. The content of a blob is base64 text.",
  );
}

/** The content parts of a tool's result; undefined where it is any other value. */
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
