import type { Draft } from "@suite/core/editor";
import { toolContentOf } from "@suite/core/messages";
import { isJson, type Json, parsed, stringOf, textOfValue } from "../json.js";
import { type Shapes, Slot } from "./shapes.js";

function set(part: Draft, field: string, value: unknown): true {
  part[field] = value;
  return true;
}

/** A string. */
export const text = (field: string): Slot =>
  new Slot(
    (value, part) => typeof value === "string" && set(part, field, value),
    (part) => part[field],
  );

/** A string that some servers leave out. */
export const label = (field: string): Slot =>
  new Slot(
    (value, part) => set(part, field, stringOf(value)),
    (part) => part[field],
  );

/** A value that the part has only if it is there. */
export const optional = (field: string): Slot =>
  new Slot(
    (value, part) => !value || set(part, field, value),
    (part) => part[field],
  );

/** A signature. The part has no object without it. */
export const signature: Slot = new Slot(optional("signature").read, (part) => part.signature, true);

/** A field that keeps its value. @param value the value in an object that a layer made */
export const unchanged = (value?: unknown): Slot =>
  new Slot(
    () => true,
    (_, before) => before ?? value,
  );

/** A field that is left out if the rest was changed, since it no longer matches. */
export const dropped: Slot = new Slot(
  () => true,
  () => undefined,
);

/** The arguments of a call as JSON. */
export const jsonArguments: Slot = new Slot(
  (value, part) => set(part, "arguments", parsed(value)),
  (part) => textOfValue(part.arguments ?? {}),
);

/** The input of a custom tool as a string. */
export const textArguments: Slot = new Slot(
  (value, part) => set(part, "arguments", stringOf(value)),
  (part) => textOfValue(part.arguments ?? ""),
);

/** The arguments of a call as an object. */
export const objectArguments: Slot = new Slot(
  (value, part) => set(part, "arguments", value ?? {}),
  (part) => {
    const value = parsed(part.arguments);
    return isJson(value) ? value : { INVALID_JSON: textOfValue(part.arguments) };
  },
);

/** The result of a tool: a string, or a list of content. @param content returns the shapes of its content */
export const toolResult = (content: () => Shapes): Slot =>
  new Slot(
    (value, part) => set(part, "response", value ?? ""),
    ({ response }) =>
      toolContentOf(response)?.map((part) => content().write(part)) ??
      (Array.isArray(response) ? response : textOfValue(response)),
  );

/** The bytes of a file as a `data:` address. */
export const dataAddress: Slot = new Slot(
  (value, part) => {
    const head = /^data:([^;,]{0,128});base64,/.exec(stringOf(value));
    if (head === null) return false;
    return set(part, "mimeType", head[1] ?? "") && set(part, "content", stringOf(value).slice(head[0].length));
  },
  ({ mimeType = "application/octet-stream", content }) => `data:${mimeType};base64,${content}`,
);

/** The type of a sound, without `audio/`. */
export const audioFormat: Slot = new Slot(
  (value, part) => set(part, "mimeType", `audio/${stringOf(value)}`),
  ({ mimeType = "wav" }) => stringOf(mimeType).replace("audio/", ""),
);

/** A tool that the provider runs: the object as a whole. @param read returns the other fields of the part */
export const serverTool = (field: string, read: (object: Json) => Json | undefined): Slot =>
  new Slot(
    (object, part) => {
      const fields = isJson(object) ? read(object) : undefined;
      if (fields !== undefined) Object.assign(part, fields, { [field]: object });
      return fields !== undefined;
    },
    (part) => part[field],
  );
