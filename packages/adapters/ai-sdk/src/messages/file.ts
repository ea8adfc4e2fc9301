import type { Part } from "@suite/core";
import type { Modality } from "@suite/core/messages";
import { isRecord } from "../framework.js";

/** Converts a file of the framework (bytes, base64 or a URL) to a neutral part. */
export function filePart(data: unknown, mediaType: string | undefined, native: unknown): Part {
  const mimeType = mediaType === undefined ? {} : { mimeType: mediaType };
  const common = { modality: modalityOf(mediaType), ...mimeType, native };
  const held = isRecord(data) && "type" in data ? data[String(data.type)] : data;
  if (held instanceof URL) return { type: "uri", uri: held.href, ...common };
  if (held instanceof Uint8Array) return { type: "blob", content: base64(held), ...common };
  if (held instanceof ArrayBuffer) return { type: "blob", content: base64(new Uint8Array(held)), ...common };
  if (typeof held !== "string") return { type: "native", value: native };
  if (/^(?:https?|data):/.test(held)) return { type: "uri", uri: held, ...common };
  if (isRecord(data) && data.type === "text") return { type: "blob", content: base64(utf8.encode(held)), ...common };
  return { type: "blob", content: held, ...common };
}

const utf8 = new TextEncoder();

function modalityOf(mediaType = ""): Modality {
  const [kind] = mediaType.split("/", 1);
  return kind === "image" || kind === "video" || kind === "audio" ? kind : "document";
}

/** Encodes bytes as base64, in slices because the number of arguments of a call is limited. */
function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
