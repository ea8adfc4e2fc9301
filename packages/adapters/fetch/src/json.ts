import type { KnownFields } from "@suite/core/editor";
import { isJson, type Json } from "@suite/wire";
import { FetchError } from "./errors.js";

export { unknownFields } from "@suite/core/editor";
export { isJson, type Json, jsonOf, numberOf, objectsOf, stringOf } from "@suite/wire";

/** Parses JSON. Returns the string itself if it is not JSON, as the arguments of a model may be. */
export function parsed(text: unknown): unknown {
  if (typeof text !== "string") return text ?? {};
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Parses a JSON object. Returns `undefined` if the string is not one. */
export function objectIn(text: string): Json | undefined {
  const value = parsed(text);
  return isJson(value) && text.trim() !== "" ? value : undefined;
}

/** Parses the body of an answer as a JSON object. @throws FetchError `ERR_FETCH_ANSWER_UNREADABLE` */
export function answerIn(text: string): Json {
  const body = objectIn(text);
  if (body !== undefined) return body;
  throw new FetchError("ERR_FETCH_ANSWER_UNREADABLE", "The answer of the model server is not a JSON object.");
}

/** Returns a string unchanged, and any other value as JSON. */
export const textOfValue = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Returns the fields that are known in one form only. In another form they count as unknown. */
export const inForm = (forms: Readonly<Record<string, (value: unknown) => boolean>>): KnownFields => ({
  has: (name, value) => Object.hasOwn(forms, name) && forms[name]?.(value) === true,
});

export const isText = (value: unknown): value is string => typeof value === "string";
