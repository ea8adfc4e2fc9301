import { text } from "@suite/core";
import { type BlobPart, type ContentPart, type ToolContent, toolContent } from "@suite/core/messages";
import { takenType } from "@suite/kit/files";
import type { Block, CallResult } from "./blocks.js";

/** The limits of a result. */
export interface ResultBounds {
  readonly maxCharacters: number;
  /** The maximum total size in bytes of images and documents. 0 shows none. */
  readonly maxFileBytes: number;
}

/** The maximum number of files in one result; models accept no more. */
const mostFiles = 20;

/**
 * Converts a result for the model: a string, or content parts if there are images or PDF documents. If the content is
 * empty, the structured content is used.
 */
export function resultOf(
  { content, structuredContent }: CallResult,
  { maxCharacters, maxFileBytes }: ResultBounds,
): string | ToolContent {
  const blocks: readonly Block[] =
    content.length > 0 || structuredContent === undefined
      ? content
      : [{ type: "text", text: JSON.stringify(structuredContent) }];
  const parts: ContentPart[] = [];
  let texts: string[] = [];
  let remaining = maxCharacters;
  let missing = 0;
  let bytes = maxFileBytes;
  let files = mostFiles;
  const flushTexts = (): void => {
    const joined = texts.filter((each) => each !== "").join("\n");
    if (joined !== "") parts.push(text(joined));
    texts = [];
  };
  for (const block of blocks) {
    const file = fileOf(block);
    const size = file === undefined ? 0 : sizeOf(file.content);
    if (file !== undefined && size <= bytes && files > 0) {
      bytes -= size;
      files--;
      flushTexts();
      parts.push(file);
      continue;
    }
    const blockText = textOf(block);
    if (blockText === "") continue;
    // Count the line feed between two strings, otherwise many short ones would exceed the limit.
    if (texts.length > 0) remaining = Math.max(0, remaining - 1);
    const included = blockText.slice(0, remaining).replace(/[\ud800-\udbff]$/, "");
    if (included !== "") texts.push(included);
    missing += blockText.length - included.length;
    remaining = Math.max(0, remaining - blockText.length);
  }
  if (missing > 0) texts.push(`[… ${missing} and more characters are left out here]`);
  flushTexts();
  if (parts.every((part) => part.type === "text")) return parts.map((part) => part.content).join("\n");
  return toolContent(parts);
}

/**
 * Returns the image or PDF document of a block. The type is detected from the bytes, because a provider rejects a
 * request with a wrong type.
 */
function fileOf(block: Block): BlobPart | undefined {
  const held = block.type === "resource" ? block.resource : block;
  const content = "data" in held ? held.data : "blob" in held ? held.blob : undefined;
  const mimeType = typeof content === "string" ? takenType(content) : undefined;
  if (typeof content !== "string" || mimeType === undefined) return undefined;
  return { type: "blob", modality: mimeType === "application/pdf" ? "document" : "image", mimeType, content };
}

const sizeOf = (base64: string): number => Math.ceil((base64.length * 3) / 4);

function textOf(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[a resource of ${block.resource.mimeType ?? "no type"}]`;
    case "resource_link":
      return `[a link to a resource: ${block.uri}]`;
    default:
      return `[${block.type} of ${block.mimeType}]`;
  }
}
