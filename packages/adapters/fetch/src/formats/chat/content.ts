import type { Part } from "@suite/core";
import { type Json, jsonOf, stringOf, textOfValue, unknownFields } from "../../json.js";
import { addressOf, isMedia, type Media, mediaOf } from "../../neutral/media.js";

const plain: ReadonlySet<string> = new Set(["type", "text", "refusal"]);

/** The part of a piece of content. What it says beside its text is there for guards to see. */
export function contentPart(wire: Json): Part {
  const extra = unknownFields(wire, plain);
  const native = extra && { native: wire };
  switch (wire.type) {
    case "text":
      return { type: "text", content: stringOf(wire.text), ...native };
    case "refusal":
      return { type: "text", content: stringOf(wire.refusal), ...native };
    case "image_url":
      return mediaOf("image", stringOf(jsonOf(wire.image_url).url), wire);
    case "input_audio": {
      const { data, format } = jsonOf(wire.input_audio);
      return {
        type: "blob",
        modality: "audio",
        mimeType: `audio/${stringOf(format)}`,
        content: stringOf(data),
        native: wire,
      };
    }
    case "file": {
      const { file_id, file_data } = jsonOf(wire.file);
      if (typeof file_id === "string") return { type: "file", modality: "document", fileId: file_id, native: wire };
      return mediaOf("document", stringOf(file_data), wire);
    }
    default:
      return { type: "native", value: wire };
  }
}

/** The content of a part that was changed, or made by a layer. */
export function writeContent(part: Part): unknown {
  if (part.type === "text") return { type: "text", text: part.content };
  if (part.type === "native") return part.value;
  return isMedia(part) ? writeMedia(part) : { type: "text", text: textOfValue(part) };
}

function writeMedia(part: Media): Json {
  if (part.type === "file") return { type: "file", file: { file_id: part.fileId } };
  if (part.modality === "image") return { type: "image_url", image_url: { url: addressOf(part) } };
  if (part.type === "blob" && part.modality === "audio") {
    const format = part.mimeType?.replace("audio/", "") ?? "wav";
    return { type: "input_audio", input_audio: { data: part.content, format } };
  }
  return { type: "file", file: { file_data: addressOf(part), filename: "document" } };
}
