import type { Part } from "@suite/core";
import type { Draft } from "@suite/core/editor";
import type { Modality } from "@suite/core/messages";
import { isJson, type Json, jsonOf, objectsOf, textOfValue, unknownFields } from "../json.js";
import type { Outgoing, Remember } from "./format.js";

/** A value in a provider's object that holds fields of a part. */
export class Slot {
  /**
   * @param read sets the fields of the part. Returns `false` if the value has another form.
   * @param write returns the value for a part. `undefined` leaves it out. `before` is the value that it replaces.
   * @param required true if a part without this value has no object
   */
  constructor(
    readonly read: (value: unknown, part: Draft) => boolean,
    readonly write: (part: Json, before?: unknown) => unknown,
    readonly required = false,
  ) {}
}

/** The form of a part in one protocol. */
export interface Shape {
  /** The fields of the part that are the same in each object of this form. */
  readonly part: Json;
  /** The object, or one slot for the whole value. */
  readonly wire: Fields | Slot;
  readonly known: ReadonlySet<string>;
}

/** The fields of an object: constants, slots and further objects. */
class Fields {
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  /** The constant that distinguishes most objects. */
  readonly type: string | undefined;

  constructor(object: Json) {
    this.type = typeof object.type === "string" ? object.type : undefined;
    this.entries = Object.entries(object).map(([key, value]) => [key, isJson(value) ? formOf(value) : value]);
  }
}

const formOf = (wire: Json | Slot): Fields | Slot => (wire instanceof Slot ? wire : new Fields(wire));

/** Creates a shape. @param modality the modality of a file */
export const shape = (type: Part["type"], wire: Json | Slot, modality?: Modality): Shape => ({
  part: { type, ...(modality !== undefined && { modality }) },
  wire: formOf(wire),
  known: new Set(Object.keys(wire)),
});

/**
 * The forms of the parts of messages in one protocol, for reading and writing. A shape is read if its constants are
 * equal and its slots accept their values. A part is written in the first shape of its type and modality, otherwise in
 * the last one of its type.
 */
export class Shapes {
  readonly #shapes: readonly Shape[];

  constructor(...shapes: readonly Shape[]) {
    this.#shapes = shapes;
  }

  /**
   * Returns the part of an object. If the object has fields that its shape does not know, guards see it as `native`.
   */
  read(object: Json): Part {
    for (const { part, wire, known } of this.#shapes) {
      if (wire instanceof Fields && wire.type !== undefined && wire.type !== object.type) continue;
      // A spread would create another hidden class for each object in Node 20.
      const fields: Draft = { type: part.type };
      if (part.modality !== undefined) fields.modality = part.modality;
      if (!fits(wire, object, fields)) continue;
      if (wire instanceof Fields && ("modality" in fields || unknownFields(object, known))) fields.native = object;
      return fields as unknown as Part;
    }
    return { type: "native", value: object };
  }

  /**
   * Returns the object of a part that was changed, or made by a layer. Returns `undefined` if the protocol cannot
   * express it.
   *
   * @param before the object that it replaces. It keeps its shape.
   */
  write(part: Part, before?: Json): Json | undefined {
    if (part.type === "native") return jsonOf(part.value);
    const fields = part as unknown as Json;
    const shapes = this.#shapes.filter((each) => each.part.type === part.type);
    const same = before && shapes.find(({ wire }) => fits(wire, before, {}));
    const found = same ?? shapes.find((each) => each.part.modality === fields.modality) ?? shapes.at(-1);
    if (found !== undefined) return filled(found.wire, fields, same && before) as Json | undefined;
    const hasText = part.type !== "text" && this.#shapes.some((each) => each.part.type === "text");
    return hasText ? this.write({ type: "text", content: textOfValue(part) }) : undefined;
  }

  /** Returns the object of a part of a history: the original object if nothing of it was changed. */
  rewrite(part: Part, origin: Outgoing["origin"], before?: Json): unknown {
    return origin(part) ?? (before && isSignedCall(part, before) ? before : this.write(part, before));
  }

  /** Returns the parts of the content of a message: a string, or a list of objects. */
  readContent(content: unknown, remember: Remember): readonly Part[] {
    if (typeof content === "string") return [{ type: "text", content }];
    return objectsOf(content).map((object) => remember(this.read(object), object));
  }

  /** Returns the content of a message. @param before the content that it replaces: a single string stays a string */
  writeContent(parts: readonly Part[], origin: Outgoing["origin"], before: unknown): unknown {
    const [first, ...others] = parts;
    if (typeof before === "string" && first?.type === "text" && others.length === 0) return first.content;
    const old = objectsOf(before);
    const sameLength = old.length === parts.length;
    return parts.flatMap((part, index) => this.rewrite(part, origin, sameLength ? old[index] : undefined) ?? []);
  }
}

/** Returns true for a call that its provider signed. In a history it is sent back unchanged. */
const isSignedCall = ({ type }: Part, { thoughtSignature, extra_content }: Json): boolean =>
  type === "tool_call" && Boolean(thoughtSignature ?? extra_content);

/** Returns true if a value has this form. @param fields gets the fields of the part */
function fits(form: unknown, value: unknown, fields: Draft): boolean {
  if (form instanceof Slot) return form.read(value, fields);
  if (!(form instanceof Fields)) return form === value;
  return isJson(value) && form.entries.every(([key, each]) => fits(each, value[key], fields));
}

/** Returns the value of a part. Returns `undefined` if the part lacks a required value. */
function filled(form: unknown, part: Json, before: unknown): unknown {
  if (form instanceof Slot) return form.write(part, before);
  if (!(form instanceof Fields)) return form;
  const object: Draft = {};
  for (const [key, each] of form.entries) {
    const value = filled(each, part, jsonOf(before)[key]);
    if (value !== undefined) object[key] = value;
    else if (each instanceof Slot && each.required) return undefined;
  }
  return object;
}
