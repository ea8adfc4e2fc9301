import type { Redactor } from "@suite/core";
import type { Json } from "../json/canonical.js";

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

/** What `Redactor.value` need not look at, because types and names of members stay. */
function rest(value: Json, redactor: Redactor, last: (text: string) => string): Json {
  if (typeof value === "string") return last(value);
  if (typeof value === "number") return number(value, redactor, last);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => rest(item, redactor, last));
  const out = new Map<string, Json>();
  for (const [key, member] of Object.entries(value)) {
    const name = last(redactor.redact(key));
    // Two names may become one.
    let unique = name;
    for (let n = 2; out.has(unique); n++) unique = `${name} (${n})`;
    out.set(unique, rest(member, redactor, last));
  }
  return Object.fromEntries(out);
}

function number(value: number, redactor: Redactor, last: (text: string) => string): Json {
  if (Math.abs(value) < LONG_NUMBER) return value;
  const text = String(value);
  const redacted = redactor.redact(text);
  return redacted === text ? value : last(redacted);
}

const same = (text: string): string => text;
