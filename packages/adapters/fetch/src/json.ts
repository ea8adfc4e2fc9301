import type { KnownFields } from "@suite/core/editor";
import { isJson, type Json } from "@suite/wire";
import { FetchError } from "./errors.js";

export { unknownFields } from "@suite/core/editor";
export { isJson, type Json, jsonOf, numberOf, objectsOf, stringOf } from "@suite/wire";

/** The value of a JSON text. Arguments that a model wrote need not be JSON: then they stay the text that they are. */
export function parsed(text: unknown): unknown {
  if (typeof text !== "string") return text ?? {};
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The object that a text is; undefined where it is none. */
export function objectIn(text: string): Json | undefined {
  const value = parsed(text);
  return isJson(value) && text.trim() !== "" ? value : undefined;
}

/** The object that the body of an answer is. @throws FetchError `ERR_FETCH_ANSWER_UNREADABLE` */
export function answerIn(text: string): Json {
  const body = objectIn(text);
  if (body !== undefined) return body;
  throw new FetchError("ERR_FETCH_ANSWER_UNREADABLE", "The answer of the model server is not a JSON object.");
}

/** A value as text: a string as it is, anything else as JSON. */
export const textOfValue = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Fields that are read in one form alone: a server may say the same in another one. */
export const inForm = (forms: Readonly<Record<string, (value: unknown) => boolean>>): KnownFields => ({
  has: (name, value) => Object.hasOwn(forms, name) && forms[name]?.(value) === true,
});

export const isText = (value: unknown): value is string => typeof value === "string";
