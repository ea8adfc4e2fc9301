import type { Part } from "@suite/core";
import type { Modality } from "@suite/core/messages";
import { isRecord, toBase64 } from "@suite/kit";

/** Converts a file of the framework (bytes, base64 or a URL) to a neutral part. */
export function filePart(data: unknown, mediaType: string | undefined, native: unknown): Part {
  const mimeType = mediaType === undefined ? {} : { mimeType: mediaType };
  const common = { modality: modalityOf(mediaType), ...mimeType, native };
  const held = isRecord(data) && "type" in data ? data[String(data.type)] : data;
  if (held instanceof URL) return { type: "uri", uri: held.href, ...common };
  if (held instanceof Uint8Array) return { type: "blob", content: toBase64(held), ...common };
  if (held instanceof ArrayBuffer) return { type: "blob", content: toBase64(new Uint8Array(held)), ...common };
  if (typeof held !== "string") return { type: "native", value: native };
  if (/^(?:https?|data):/.test(held)) return { type: "uri", uri: held, ...common };
  if (isRecord(data) && data.type === "text") return { type: "blob", content: toBase64(utf8.encode(held)), ...common };
  return { type: "blob", content: held, ...common };
}

const utf8 = new TextEncoder();

function modalityOf(mediaType = ""): Modality {
  const [kind] = mediaType.split("/", 1);
  return kind === "image" || kind === "video" || kind === "audio" ? kind : "document";
}
