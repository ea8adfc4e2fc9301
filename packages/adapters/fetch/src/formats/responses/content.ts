import type { Part } from "@suite/core";
import { type Json, jsonOf, stringOf, textOfValue, unknownFields } from "../../json.js";
import { addressOf, isMedia, type Media, mediaOf } from "../../neutral/media.js";

const plain: ReadonlySet<string> = new Set(["type", "text", "refusal", "logprobs"]);

/** The part of a piece of content of a message. Annotations are there for guards to see. */
export function contentPart(wire: Json): Part {
  const extra = unknownFields(wire, plain);
  const native = extra && { native: wire };
  switch (wire.type) {
    case "input_text":
    case "output_text":
    case "text":
      return { type: "text", content: stringOf(wire.text), ...native };
    case "refusal":
      return { type: "text", content: stringOf(wire.refusal), ...native };
    case "input_image":
      return fileOf("image", wire, wire.image_url);
    case "input_file":
      return fileOf("document", wire, wire.file_data ?? wire.file_url);
    case "input_audio": {
      const { data, format } = jsonOf(wire.input_audio);
      const mimeType = `audio/${stringOf(format)}`;
      return { type: "blob", modality: "audio", mimeType, content: stringOf(data), native: wire };
    }
    default:
      return { type: "native", value: wire };
  }
}

const fileOf = (modality: string, wire: Json, url: unknown): Part =>
  typeof wire.file_id === "string"
    ? { type: "file", modality, fileId: wire.file_id, native: wire }
    : mediaOf(modality, stringOf(url), wire);

/** The content of a part that was changed, or made by a layer: what an assistant said is output. */
export function writeContent(part: Part, said: boolean): Json {
  if (part.type === "native") return jsonOf(part.value);
  if (isMedia(part)) return writeMedia(part);
  const text = part.type === "text" ? part.content : textOfValue(part);
  return said ? { type: "output_text", text, annotations: [] } : { type: "input_text", text };
}

function writeMedia(part: Media): Json {
  const image = part.modality === "image";
  if (part.type === "file") return { type: image ? "input_image" : "input_file", file_id: part.fileId };
  if (image) return { type: "input_image", image_url: addressOf(part) };
  if (part.type === "uri") return { type: "input_file", file_url: part.uri };
  if (part.modality !== "audio") return { type: "input_file", filename: "document", file_data: addressOf(part) };
  const format = part.mimeType?.replace("audio/", "") ?? "wav";
  return { type: "input_audio", input_audio: { data: part.content, format } };
}
