import type { BlobPart, FilePart, Part, UriPart } from "@suite/core";

export type Media = BlobPart | FilePart | UriPart;

export const isMedia = (part: Part): part is Media =>
  part.type === "blob" || part.type === "file" || part.type === "uri";

/** A file by its address: in the address itself, where that is a `data:` one. */
export function mediaOf(modality: string, url: string, native: object): BlobPart | UriPart {
  const head = /^data:([^;,]{0,128});base64,/.exec(url);
  if (head === null) return { type: "uri", modality, uri: url, native };
  return { type: "blob", modality, mimeType: head[1] ?? "", content: url.slice(head[0].length), native };
}

/** The address of a file that is there itself, or has one. */
export const addressOf = (part: BlobPart | UriPart): string =>
  part.type === "uri" ? part.uri : `data:${part.mimeType ?? "application/octet-stream"};base64,${part.content}`;
