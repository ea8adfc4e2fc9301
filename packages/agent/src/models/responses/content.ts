import type { Part } from "@suite/core";
import type OpenAI from "openai";
import type { Media } from "../wire/tool-content.js";

export type Input = OpenAI.Responses.ResponseInputItem;
export type InputContent = OpenAI.Responses.ResponseInputContent;

export const api = "OpenAI's responses API";

export const isMedia = (part: Part): part is Media =>
  part.type === "blob" || part.type === "uri" || part.type === "file";

type MediaContent = OpenAI.Responses.ResponseInputImage | OpenAI.Responses.ResponseInputFile;

/** An image or a file as the API takes it in a message, and in the result of a tool; undefined for what it takes in neither. */
export function mediaContent(part: Media): MediaContent | undefined {
  const { modality } = part;
  if (part.type === "blob" && part.mimeType === undefined) return undefined;
  if (modality === "image") return { type: "input_image", detail: "auto", ...imageOf(part) };
  return modality === "document" ? { type: "input_file", ...fileOf(part) } : undefined;
}

export const adviceOn = (part: Media): string =>
  part.type === "blob" && part.mimeType === undefined ? "Give its mimeType." : "It takes images and documents.";

const imageOf = (part: Media) =>
  part.type === "file" ? { file_id: part.fileId } : { image_url: part.type === "uri" ? part.uri : dataUrl(part) };

function fileOf(part: Media) {
  if (part.type === "file") return { file_id: part.fileId };
  if (part.type === "uri") return { file_url: part.uri };
  return { filename: "document", file_data: dataUrl(part) };
}

const dataUrl = ({ mimeType, content }: Media & { type: "blob" }): string => `data:${mimeType};base64,${content}`;
