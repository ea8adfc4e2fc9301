import { isJson, jsonOf, stringOf } from "../../json.js";
import { Shapes, Slot, shape } from "../../neutral/shapes.js";
import * as slot from "../../neutral/slots.js";

/** A call of a function. Without an id, its name is the id. */
const call = new Slot(
  (value, part) => {
    if (!isJson(value)) return false;
    Object.assign(part, { id: stringOf(value.id ?? value.name), name: stringOf(value.name) });
    return slot.objectArguments.read(value.args, part);
  },
  (part, before) => ({
    ...(("id" in jsonOf(before) || part.id !== part.name) && { id: part.id }),
    name: part.name,
    args: slot.objectArguments.write(part),
  }),
);

const result = new Slot(
  (value, part) => {
    if (!isJson(value)) return false;
    Object.assign(part, { id: stringOf(value.id ?? value.name), response: value.response ?? "" });
    return true;
  },
  ({ id, response }, before) => ({
    ...jsonOf(before),
    name: jsonOf(before).name ?? id,
    response: isJson(response) ? response : { output: response },
  }),
);

const mimeType = new Slot(
  (value, part) => {
    const [kind = ""] = stringOf(value).split("/", 1);
    part.modality = kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
    part.mimeType = stringOf(value);
    return true;
  },
  (part) => part.mimeType,
);

/** The signature of a thought. It does not match changed text. */
const signature = new Slot(slot.optional("signature").read, () => undefined);

/** The parts of a turn. */
export const partShapes = new Shapes(
  shape("reasoning", { text: slot.text("content"), thought: true, thoughtSignature: signature }),
  shape("text", { text: slot.text("content"), thought: slot.unchanged(), thoughtSignature: slot.dropped }),
  shape("tool_call", { functionCall: call, thoughtSignature: slot.unchanged() }),
  shape("tool_call_response", { functionResponse: result }),
  shape("blob", { inlineData: { mimeType, data: slot.text("content") } }),
  shape("uri", { fileData: { mimeType, fileUri: slot.text("uri") } }),
  shape("file", { fileData: { mimeType, fileUri: slot.text("fileId") } }),
);
