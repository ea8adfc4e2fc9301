import { FetchError } from "../errors.js";
import { isJson, type Json } from "../json.js";
import type { ServerEvent } from "./event.js";

/** The object that an event carries. @throws FetchError `ERR_FETCH_ANSWER_UNREADABLE` */
export function jsonIn({ data }: ServerEvent): Json {
  try {
    const value: unknown = JSON.parse(data);
    if (isJson(value)) return value;
  } catch {}
  throw new FetchError(
    "ERR_FETCH_ANSWER_UNREADABLE",
    `An event of ${data.length} characters in the answer is not a JSON object.`,
  );
}

/**
 * The value of an event that is JSON and no object; undefined of any other.
 *
 * @param orText whether one that is no JSON has its text for a value.
 */
export function valueIn({ data }: ServerEvent, orText = false): { readonly value: unknown } | undefined {
  if (data.startsWith("{") && !orText) return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return isJson(value) ? undefined : { value };
  } catch {
    return orText ? { value: data } : undefined;
  }
}

/** Whether an event is OpenAI's mark of the end, which is no JSON. */
export const isDone = ({ data }: ServerEvent): boolean => data.startsWith("[DONE]");
