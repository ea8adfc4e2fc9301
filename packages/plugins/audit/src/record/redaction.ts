import type { Redactor } from "@suite/core";
import type { Json, JsonObject } from "./canonical.js";

/** Shorter numbers are counts and prices. Longer ones may be of a card or an account. */
const LONG_NUMBER = 1_000_000;

/** Removes personal data from JSON data. */
export type Redaction = (value: Json, redactor: Redactor) => Json;

/**
 * Redacts JSON data: strings, names of members, and long numbers.
 *
 * @param last is applied to each string afterwards
 */
export function redactJson(value: Json, redactor: Redactor, last: (text: string) => string = same): Json {
  return rest(redactor.value(value) as Json, redactor, last);
}

/** Redacts the parts that `Redactor.value` leaves unchanged: numbers and names of members. */
function rest(value: Json, redactor: Redactor, last: (text: string) => string): Json {
  if (typeof value === "string") return last(value);
  if (typeof value === "number") return number(value, redactor, last);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return items(value, redactor, last);
  return members(value as JsonObject, redactor, last);
}

/** Returns a copy if an item changes, otherwise the array itself. */
function items(value: readonly Json[], redactor: Redactor, last: (text: string) => string): readonly Json[] {
  let out: Json[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const item = value[index] as Json;
    const redacted = rest(item, redactor, last);
    if (out === undefined && redacted !== item) out = value.slice(0, index);
    out?.push(redacted);
  }
  return out ?? value;
}

/** Returns a copy if a member changes, otherwise the object itself. In most records no member changes. */
function members(value: JsonObject, redactor: Redactor, last: (text: string) => string): JsonObject {
  const keys = Object.keys(value);
  let out: Map<string, Json> | undefined;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const member = value[key] as Json;
    const name = last(redactor.redact(key));
    const redacted = rest(member, redactor, last);
    if (out === undefined) {
      if (name === key && redacted === member) continue;
      out = new Map(keys.slice(0, index).map((before) => [before, value[before] as Json]));
    }
    // Two names may become equal.
    let unique = name;
    for (let n = 2; out.has(unique); n++) unique = `${name} (${n})`;
    out.set(unique, redacted);
  }
  return out === undefined ? value : Object.fromEntries(out);
}

function number(value: number, redactor: Redactor, last: (text: string) => string): Json {
  if (Math.abs(value) < LONG_NUMBER) return value;
  const text = String(value);
  const redacted = redactor.redact(text);
  return redacted === text ? value : last(redacted);
}

const same = (text: string): string => text;
