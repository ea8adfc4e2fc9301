import type { Part } from "@suite/core";
import type { Json } from "../../json.js";
import { type Shape, Shapes, shape } from "../../neutral/shapes.js";
import * as slot from "../../neutral/slots.js";

const textOf = (type: string): Shape => shape("text", { type, text: slot.text("content"), logprobs: slot.dropped });

/** The content of messages and of tools' results. */
export const contentShapes = new Shapes(
  ...["input_text", "output_text", "text"].map(textOf),
  shape("text", { type: "refusal", refusal: slot.text("content") }),
  shape("file", { type: "input_image", file_id: slot.text("fileId") }, "image"),
  shape("blob", { type: "input_image", image_url: slot.dataAddress }, "image"),
  shape("uri", { type: "input_image", image_url: slot.text("uri") }, "image"),
  shape(
    "blob",
    { type: "input_audio", input_audio: { data: slot.text("content"), format: slot.audioFormat } },
    "audio",
  ),
  shape("file", { type: "input_file", file_id: slot.text("fileId") }, "document"),
  shape("blob", { type: "input_file", filename: slot.kept("document"), file_data: slot.dataAddress }, "document"),
  shape("uri", { type: "input_file", file_url: slot.text("uri") }, "document"),
);

/** Returns the content of a part that was changed, or made by a layer. What an assistant said is output. */
export function writeContent(part: Part, said: boolean): Json | undefined {
  const written = contentShapes.write(part);
  return said && written?.type === "input_text" ? { ...written, type: "output_text", annotations: [] } : written;
}
