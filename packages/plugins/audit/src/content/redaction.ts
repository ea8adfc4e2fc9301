import type { Redactor } from "@suite/core";
import type { Json } from "../json/canonical.js";

/** Shorter numbers are counts and prices, longer ones may be of a card or an account. */
const LONG_NUMBER = 1_000_000;

/** JSON data without personal data: strings, names of members, and long numbers that are found to be such. */
export function redactJson(value: Json, redactor: Redactor): Json {
  return names(redactor.value(value) as Json, redactor);
}

function names(value: Json, redactor: Redactor): Json {
  if (typeof value === "number") return number(value, redactor);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => names(item, redactor));
  const out = new Map<string, Json>();
  for (const [key, member] of Object.entries(value)) {
    const name = redactor.redact(key);
    // Two names may become one.
    let unique = name;
    for (let n = 2; out.has(unique); n++) unique = `${name} (${n})`;
    out.set(unique, names(member, redactor));
  }
  return Object.fromEntries(out);
}

function number(value: number, redactor: Redactor): Json {
  if (Math.abs(value) < LONG_NUMBER) return value;
  const text = String(value);
  const redacted = redactor.redact(text);
  return redacted === text ? value : redacted;
}
