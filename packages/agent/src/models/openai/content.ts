import type { BlobPart } from "@suite/core";
import type OpenAI from "openai";
import { nativeValue, type Site, unsendable } from "../wire/refusal.js";
import type { Media } from "../wire/tool-content.js";

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
  if (part?.type !== "blob" && part?.type !== "uri" && part?.type !== "file") return textContent(site);
  const media = mediaContent(part);
  if (media === undefined) throw unsendable(site, adviceOn(part));
  return media;
}

const audioFormats: Readonly<Record<string, "wav" | "mp3">> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

/** An image or another file as the API takes it of a user; undefined for what it does not take. */
export function mediaContent(part: Media): UserContent | undefined {
  const { modality } = part;
  if (part.type === "blob") return blobContent(part);
  if (part.type === "uri")
    return modality === "image" ? { type: "image_url", image_url: { url: part.uri } } : undefined;
  return modality === "document" ? { type: "file", file: { file_id: part.fileId } } : undefined;
}

function blobContent({ modality, mimeType, content }: BlobPart): UserContent | undefined {
  if (mimeType === undefined) return undefined;
  const url = `data:${mimeType};base64,${content}`;
  if (modality === "image") return { type: "image_url", image_url: { url } };
  if (modality === "document") return { type: "file", file: { file_data: url, filename: "document" } };
  const format = audioFormats[mimeType];
  if (modality !== "audio" || format === undefined) return undefined;
  return { type: "input_audio", input_audio: { data: content, format } };
}

function adviceOn(part: Media): string {
  if (part.type === "uri") return "By address it takes images alone. Give a blob, or a file that the provider holds.";
  if (part.type === "file") return "Of files that the provider holds it takes documents alone. Give a blob.";
  if (part.mimeType === undefined) return "Give its mimeType.";
  return "It takes images, documents, and audio as audio/wav or audio/mpeg.";
}
