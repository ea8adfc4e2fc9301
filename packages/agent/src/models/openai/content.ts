import type { BlobPart, FilePart, UriPart } from "@suite/core";
import type OpenAI from "openai";
import { nativeValue, type Site, unsendable } from "../wire/refusal.js";

export type UserContent = OpenAI.Chat.Completions.ChatCompletionContentPart;
export type TextContent = OpenAI.Chat.Completions.ChatCompletionContentPartText;

export const api = "OpenAI's chat completions";

/** The text of parts, where text is all that the API takes. */
export function textContent(site: Site): TextContent {
  const part = site.message.parts[site.at];
  if (part?.type === "text") return { type: "text", text: part.content };
  if (part?.type === "native") return nativeValue(part.value, site);
  throw unsendable(site);
}

/** The content of a user's message: what they say and show. */
export function userContent(site: Site): UserContent {
  const part = site.message.parts[site.at];
  if (part?.type === "blob") return blobContent(part, site);
  if (part?.type === "uri") return uriContent(part, site);
  if (part?.type === "file") return fileContent(part, site);
  return textContent(site);
}

const audioFormats: Readonly<Record<string, "wav" | "mp3">> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

function blobContent({ modality, mimeType, content }: BlobPart, site: Site): UserContent {
  if (mimeType === undefined) throw unsendable(site, "Give its mimeType.");
  const url = `data:${mimeType};base64,${content}`;
  if (modality === "image") return { type: "image_url", image_url: { url } };
  if (modality === "document") return { type: "file", file: { file_data: url, filename: "document" } };
  const format = audioFormats[mimeType];
  if (modality === "audio" && format !== undefined)
    return { type: "input_audio", input_audio: { data: content, format } };
  throw unsendable(site, "It takes images, documents, and audio as audio/wav or audio/mpeg.");
}

function uriContent({ modality, uri }: UriPart, site: Site): UserContent {
  if (modality === "image") return { type: "image_url", image_url: { url: uri } };
  throw unsendable(site, "By address it takes images alone. Give a blob, or a file that the provider holds.");
}

function fileContent({ modality, fileId }: FilePart, site: Site): UserContent {
  if (modality === "document") return { type: "file", file: { file_id: fileId } };
  throw unsendable(site, "Of files that the provider holds it takes documents alone. Give a blob.");
}
