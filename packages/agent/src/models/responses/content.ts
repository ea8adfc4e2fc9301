import type { BlobPart, FilePart, Part, UriPart } from "@suite/core";
import type OpenAI from "openai";
import { type Site, unsendable } from "../wire/refusal.js";

export type Input = OpenAI.Responses.ResponseInputItem;
export type InputContent = OpenAI.Responses.ResponseInputContent;

export const api = "OpenAI's responses API";

type Media = BlobPart | UriPart | FilePart;

export const isMedia = (part: Part): part is Media =>
  part.type === "blob" || part.type === "uri" || part.type === "file";

/** An image or a file as the API takes it in a message, and in the result of a tool. */
export function mediaContent(part: Media, site: Site): InputContent {
  if (part.modality === "image") return { type: "input_image", detail: "auto", ...imageOf(part, site) };
  if (part.modality === "document") return { type: "input_file", ...fileOf(part, site) };
  throw unsendable(site, "It takes images and documents.");
}

const imageOf = (part: Media, site: Site) =>
  part.type === "file" ? { file_id: part.fileId } : { image_url: part.type === "uri" ? part.uri : dataUrl(part, site) };

function fileOf(part: Media, site: Site) {
  if (part.type === "file") return { file_id: part.fileId };
  if (part.type === "uri") return { file_url: part.uri };
  return { filename: "document", file_data: dataUrl(part, site) };
}

function dataUrl({ mimeType, content }: BlobPart, site: Site): string {
  if (mimeType === undefined) throw unsendable(site, "Give its mimeType.");
  return `data:${mimeType};base64,${content}`;
}
