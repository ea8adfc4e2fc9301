import type { Redactor } from "@suite/core";
import type { Json, JsonObject } from "./canonical.js";

/** Shorter numbers are counts and prices, longer ones may be of a card or an account. */
const LONG_NUMBER = 1_000_000;

/** Takes personal data out of JSON data. */
export type Redaction = (value: Json, redactor: Redactor) => Json;

/**
 * JSON data without personal data: strings, names of members, and long numbers that are found to be such.
 *
 * @param last treats each string after that
 */
export function redactJson(value: Json, redactor: Redactor, last: (text: string) => string = same): Json {
  return rest(redactor.value(value) as Json, redactor, last);
}

/** The part that `Redactor.value` need not look at, because types and names of members stay. */
function rest(value: Json, redactor: Redactor, last: (text: string) => string): Json {
  if (typeof value === "string") return last(value);
  if (typeof value === "number") return number(value, redactor, last);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return items(value, redactor, last);
  return members(value as JsonObject, redactor, last);
}

/** A copy from the first item that changes, or the array itself. */
function items(value: readonly Json[], redactor: Redactor, last: (text: string) => string): readonly Json[] {
  let out: Json[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const item = value[index] as Json;
    const kept = rest(item, redactor, last);
    if (out === undefined && kept !== item) out = value.slice(0, index);
    out?.push(kept);
  }
  return out ?? value;
}

/** A copy from the first member that changes, or the object itself: most records have nothing that does. */
function members(value: JsonObject, redactor: Redactor, last: (text: string) => string): JsonObject {
  const keys = Object.keys(value);
  let out: Map<string, Json> | undefined;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const member = value[key] as Json;
    const name = last(redactor.redact(key));
    const kept = rest(member, redactor, last);
    if (out === undefined) {
      if (name === key && kept === member) continue;
      out = new Map(keys.slice(0, index).map((before) => [before, value[before] as Json]));
    }
    // Two names may become one.
    let unique = name;
    for (let n = 2; out.has(unique); n++) unique = `${name} (${n})`;
    out.set(unique, kept);
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
