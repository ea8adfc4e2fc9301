import { AuditError } from "../errors.js";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

const MAX_DEPTH = 128;
const loneSurrogate = /\p{Surrogate}/u;
const identifier = /^[A-Za-z_]{1,32}$/;
/** A string that needs no escapes in JSON: no quote, backslash, control character or surrogate. */
const ordinary = /^[ !#-[\]-\uD7FF\uE000-\uFFFF]*$/;

/**
 * Returns the canonical JSON of a value (RFC 8785): no white space, object keys sorted by UTF-16 code units, numbers
 * and strings in the format of ECMAScript.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_RECORD` for values outside JSON: NaN, Infinity, undefined, a bigint, a
 * function, a Date, a lone surrogate, a cycle. Nothing is silently omitted or turned into null.
 *
 * @example
 * ```ts
 * canonicalJson({ b: 1e21, a: "é" }); // {"a":"é","b":1e+21}
 * ```
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return text(value, depth);
    case "number":
      if (!Number.isFinite(value)) throw refusal(String(value), depth);
      return String(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth >= MAX_DEPTH) throw refusal("a cycle, or data nested deeper than 128 levels,", depth);
      return Array.isArray(value) ? array(value, depth + 1) : object(value, depth + 1);
    default:
      throw refusal(typeof value, depth);
  }
}

function array(value: readonly unknown[], depth: number): string {
  let out = "[";
  // By index, so that a hole is read as undefined.
  for (let i = 0; i < value.length; i++) out += (i === 0 ? "" : ",") + write(value[i], depth);
  return `${out}]`;
}

function object(value: object, depth: number): string {
  const tag = isPlain(value) ? "[object Object]" : Object.prototype.toString.call(value);
  if (tag !== "[object Object]") throw refusal(tag.slice(8, -1), depth);
  let out = "";
  for (const key of sortedKeys(value)) {
    const member = (value as Record<string, unknown>)[key];
    out += (out === "" ? "{" : ",") + name(key, depth) + write(member, depth);
  }
  return out === "" ? "{}" : `${out}}`;
}

/** Returns the keys sorted by UTF-16 code units. Records already have that order. */
function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  for (let i = 1; i < keys.length; i++) {
    if ((keys[i] as string) < (keys[i - 1] as string)) return keys.sort();
  }
  return keys;
}

/** A cache of serialized member names with their colon: programs use the same names again and again. */
const names = new Map<string, string>();
const MAX_NAMES = 256;

function name(key: string, depth: number): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const written = `${text(key, depth)}:`;
  if (identifier.test(key) && names.size < MAX_NAMES) names.set(key, written);
  return written;
}

function text(value: string, depth: number): string {
  if (ordinary.test(value)) return `"${value}"`;
  if (loneSurrogate.test(value)) throw refusal("a string with half of a surrogate pair", depth);
  return JSON.stringify(value);
}

/** Returns true for a plain object, which records consist of. */
function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && !(Symbol.toStringTag in value);
}

/** Creates the error. It contains only the depth, since keys and values may be personal data. */
const refusal = (what: string, depth: number): AuditError =>
  new AuditError(
    "ERR_AUDIT_INVALID_RECORD",
    `A record must be JSON data: ${what} was found at depth ${depth}, which JSON cannot represent. Remove it, or convert it to a string.`,
  );
