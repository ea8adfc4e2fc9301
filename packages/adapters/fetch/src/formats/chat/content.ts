import { Shapes, shape } from "../../neutral/shapes.js";
import * as slot from "../../neutral/slots.js";

/** The content of messages. */
export const contentShapes = new Shapes(
  shape("text", { type: "text", text: slot.text("content") }),
  shape("text", { type: "refusal", refusal: slot.text("content") }),
  shape("blob", { type: "image_url", image_url: { url: slot.dataAddress } }, "image"),
  shape("uri", { type: "image_url", image_url: { url: slot.text("uri") } }, "image"),
  shape(
    "blob",
    { type: "input_audio", input_audio: { data: slot.text("content"), format: slot.audioFormat } },
    "audio",
  ),
  shape("file", { type: "file", file: { file_id: slot.text("fileId") } }, "document"),
  shape(
    "blob",
    { type: "file", file: { file_data: slot.dataAddress, filename: slot.unchanged("document") } },
    "document",
  ),
  shape(
    "uri",
    { type: "file", file: { file_data: slot.text("uri"), filename: slot.unchanged("document") } },
    "document",
  ),
);

/** Calls of functions, of custom tools, whose input is text, and of kinds that only some servers have. */
export const callShapes = new Shapes(
  shape("tool_call", {
    id: slot.label("id"),
    type: slot.unchanged("function"),
    index: slot.unchanged(),
    function: { name: slot.label("name"), arguments: slot.jsonArguments },
  }),
  shape("tool_call", {
    id: slot.label("id"),
    type: slot.unchanged("custom"),
    index: slot.unchanged(),
    custom: { name: slot.label("name"), input: slot.textArguments },
  }),
  shape("tool_call", {
    id: slot.label("id"),
    type: slot.unchanged(),
    index: slot.unchanged(),
    name: slot.label("name"),
    arguments: slot.jsonArguments,
  }),
);
