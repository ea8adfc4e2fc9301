import type { Usage } from "@suite/core";
import type { Draft, Edit } from "@suite/core/editor";
import type { FinishDelta, FinishReason } from "@suite/core/messages";
import { isJson, type Json } from "../json.js";
import { keepSigned } from "./signed.js";
import { objectArguments } from "./slots.js";

/** Clears a field that quotes a string of the places in `scope`, or repeats it by token, if the string has changed. */
export function clearCopies(edit: Edit, scope: string, target: Draft, field: string, empty: unknown): void {
  const value = target[field];
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return;
  edit.whenSent(() => {
    if (!edit.differsIn(scope)) return false;
    target[field] = empty;
    return true;
  });
}

/** Registers the arguments of a call. Some protocols and servers send them as an object. */
export function readArguments(edit: Edit, at: string, call: Draft, field: string, isObject: boolean): void {
  const value = call[field];
  if (!isJson(value)) {
    edit.text(at, "arguments", call, field);
    return;
  }
  const holder: Draft = { json: JSON.stringify(value) };
  const { json } = holder;
  edit.text(at, "arguments", holder, "json");
  edit.whenSent(() => {
    if (holder.json === json) return false;
    call[field] = isObject ? objectArguments.write({ arguments: holder.json }) : holder.json;
    return true;
  });
}

/**
 * Keeps the text of a field that its provider signed, if it is sent with another one. A client that reads a stream sends
 * the joined text of the place back.
 */
export function keepSignedText(edit: Edit, at: string, signature: unknown, target: Draft, field: string): void {
  const { [field]: text } = target;
  if (!signature) return;
  edit.whenSent(() => {
    const place = edit.places.get(at);
    if (target[field] !== text) keepSigned(signature, { [field]: text }, { [field]: target[field] });
    if (place && place.sent !== place.came) keepSigned(signature, { [field]: place.came }, { [field]: place.sent });
    return false;
  });
}

/** Replaces all fields of an object. */
export function replaceFields(object: Draft, other: Json | undefined): void {
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, other);
}

/** Creates the finish mark of an answer, as far as the server reports it. */
export const finishMark = (
  usage: Usage | undefined,
  finishReason: FinishReason | undefined,
  id: unknown,
  model: unknown,
): FinishDelta => ({
  type: "finish",
  ...(usage !== undefined && { usage }),
  ...(finishReason !== undefined && { finishReason }),
  response: { ...(typeof id === "string" && { id }), ...(typeof model === "string" && { model }) },
});
