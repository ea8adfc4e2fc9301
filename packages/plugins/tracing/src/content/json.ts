import { smallJson } from "./small-json.js";

/** JSON within a limit. `complete` is false if parts of the value were left out or shortened. */
export interface Fitted {
  readonly json: string;
  readonly complete: boolean;
}

/** The minimum length of cut strings: long enough for the words that the schemas prescribe. */
const SHORTEST = 32;

/**
 * Serializes a value in at most `limit` characters. If the whole value does not fit, its long strings are cut to a
 * power of two, and then fewer values are kept. Returns `undefined` if even those do not fit.
 */
export function fitJson(value: unknown, limit: number): Fitted | undefined {
  const small = smallJson(value, limit);
  if (small !== undefined) return { json: small, complete: true };
  for (const most of [limit, limit / 8, limit / 64]) {
    const fitted = fitTree(jsonCopy(value, most), limit);
    if (fitted !== undefined) return fitted;
  }
  return undefined;
}

function fitTree({ value: tree, complete }: JsonCopy, limit: number): Fitted | undefined {
  const json = JSON.stringify(tree);
  if (json.length <= limit) return { json, complete };
  // The structure itself may be too large. This is checked first, so that a large value is not serialized many times.
  let best = JSON.stringify(shorten(tree, SHORTEST));
  if (best.length > limit) return undefined;
  for (let length = SHORTEST * 2; length < limit; length *= 2) {
    const longer = JSON.stringify(shorten(tree, length));
    if (longer.length > limit) break;
    best = longer;
  }
  return { json: best, complete: false };
}

function shorten(value: unknown, length: number): unknown {
  if (typeof value === "string") return cut(value, length);
  if (Array.isArray(value)) return value.map((item) => shorten(item, length));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, length)]));
}

/** Returns the start of a string and an ellipsis, without half a surrogate pair at its end. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 2);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 2 : length - 1)}…`;
}

/** Maximum depth of a value. Deeper parts are not read. Omitted parts are replaced with a mark. */
const DEEPEST = 200;
const MARK = "…";
const descriptor = { enumerable: true, configurable: true, writable: true };

/** A value as plain JSON data. `complete` is false if parts were left out. */
interface JsonCopy {
  readonly value: unknown;
  readonly complete: boolean;
}

/**
 * Converts a value to plain JSON data in bounded work: at most `most` values are read. Without this bound, one small
 * array that is shared several times becomes a million values for `JSON.stringify`. Getters and proxies may throw.
 */
function jsonCopy(value: unknown, most: number): JsonCopy {
  const reader = new Reader(most);
  return { value: reader.read(value, 0) ?? null, complete: reader.complete };
}

class Reader {
  complete = true;
  #remaining: number;
  readonly #within: object[] = [];

  constructor(most: number) {
    this.#remaining = most;
  }

  /** Returns the plain value. Returns `undefined` for values that JSON omits. */
  read(value: unknown, depth: number): unknown {
    if (value === null || typeof value === "boolean" || typeof value === "string") return this.#spent(value);
    if (typeof value === "number") return this.#spent(Number.isFinite(value) ? value : null);
    if (typeof value === "bigint") return this.#spent(value.toString());
    if (typeof value !== "object") return undefined;
    if (this.#remaining <= 0 || depth >= DEEPEST) return this.#mark();
    if (this.#within.includes(value)) return this.#spent("[circular]");
    this.#remaining--;
    this.#within.push(value);
    try {
      return this.#object(value, depth);
    } catch {
      return this.#spent("[unreadable]");
    } finally {
      this.#within.pop();
    }
  }

  #object(value: object, depth: number): unknown {
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if ("toJSON" in value && typeof value.toJSON === "function") return this.read(value.toJSON(""), depth + 1);
    if (Array.isArray(value)) return this.#array(value, depth);
    const copy: Record<string, unknown> = {};
    for (const key in value) {
      if (!Object.hasOwn(value, key)) continue;
      if (this.#remaining <= 0) {
        copy[MARK] = this.#mark();
        break;
      }
      const field = this.#field(value as Record<string, unknown>, key, depth);
      if (field === undefined) continue;
      // An assignment would set the prototype. This key must be treated like any other.
      if (key === "__proto__") Object.defineProperty(copy, key, { ...descriptor, value: field });
      else copy[key] = field;
    }
    return copy;
  }

  #array(value: readonly unknown[], depth: number): unknown {
    const copy: unknown[] = [];
    for (let i = 0; i < value.length; i++) {
      if (this.#remaining <= 0) {
        copy.push(this.#mark());
        break;
      }
      copy.push(this.read(value[i], depth + 1) ?? this.#spent(null));
    }
    return copy;
  }

  /** Reads one field. If it throws, the other fields are still recorded. */
  #field(value: Record<string, unknown>, key: string, depth: number): unknown {
    try {
      return this.read(value[key], depth + 1);
    } catch {
      return this.#spent("[unreadable]");
    }
  }

  #spent<T>(value: T): T {
    this.#remaining--;
    return value;
  }

  #mark(): string {
    this.complete = false;
    return MARK;
  }
}
