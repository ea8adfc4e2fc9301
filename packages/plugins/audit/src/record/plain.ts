import type { Json } from "./canonical.js";

/** Read limits for a value: more than fits into a record, but little enough to be processed at once. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_NODES = 20_000;
const MAX_DEPTH = 32;

/** Surrogates (halves and pairs), and the noncharacters of `Marks`. */
const unusual = /[\uD800-\uDFFF\uFDD0-\uFDEF]/;
const unwritable = /[\p{Surrogate}\uFDD0-\uFDEF]/gu;

/** JSON data from any value, and its estimated number of characters. */
export interface JsonCopy {
  readonly value: Json;
  readonly size: number;
}

/**
 * Converts any value to JSON data, however hostile: cycles, getters that throw, bigints, dates, bytes, class instances.
 * Values above a limit are replaced by a mark as a whole and never cut: a redactor does not recognise half of an
 * address.
 */
export function toJsonCopy(value: unknown): JsonCopy {
  const reader = new Reader();
  const json = reader.read(value, 0);
  return { value: json, size: reader.size };
}

class Reader {
  size = 0;
  #nodes = 0;
  /** The objects that are being read, from the outermost to the current one. */
  readonly #open: object[] = [];

  read(value: unknown, depth: number): Json {
    if (++this.#nodes > MAX_NODES) return "[too many values]";
    this.size += 8;
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        return Number.isFinite(value) ? value : String(value);
      case "boolean":
        return value;
      case "bigint":
        return this.#text(value.toString());
      case "object":
        return value === null ? null : this.#guarded(value, depth);
      default:
        return value === undefined ? null : `[${typeof value}]`;
    }
  }

  #text(value: string): string {
    if (this.size + value.length > MAX_CHARACTERS) return `[${value.length} characters left out]`;
    this.size += value.length;
    return unusual.test(value) ? value.replace(unwritable, "\uFFFD") : value;
  }

  #guarded(value: object, depth: number): Json {
    if (depth >= MAX_DEPTH) return "[nested too deep]";
    if (this.#open.includes(value)) return "[cycle]";
    this.#open.push(value);
    try {
      return this.#object(value, depth + 1);
    } catch {
      return "[unreadable]";
    } finally {
      this.#open.pop();
    }
  }

  #object(value: object, depth: number): Json {
    if (Array.isArray(value)) return this.#array(value, depth);
    if (Object.getPrototypeOf(value) === Object.prototype && !("toJSON" in value)) {
      return this.#members(value as Record<string, unknown>, depth);
    }
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    const tag = Object.prototype.toString.call(value);
    if (tag === "[object ArrayBuffer]") return `[${(value as ArrayBuffer).byteLength} bytes]`;
    if (tag === "[object Map]") return this.#array([...(value as Map<unknown, unknown>)], depth);
    if (tag === "[object Set]") return this.#array([...(value as Set<unknown>)], depth);
    if (tag === "[object Error]")
      return this.#members({ name: (value as Error).name, message: (value as Error).message }, depth);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function") return this.read(toJSON.call(value), depth);
    return this.#members(value as Record<string, unknown>, depth);
  }

  #array(value: readonly unknown[], depth: number): Json {
    const out: Json[] = [];
    for (const item of value) {
      out.push(this.read(item, depth));
      if (this.#nodes > MAX_NODES) break;
    }
    return out;
  }

  #members(value: Record<string, unknown>, depth: number): Json {
    const out: Record<string, Json> = {};
    for (const key of Object.keys(value)) {
      if (this.#nodes > MAX_NODES) break;
      const member = memberOf(value, key);
      if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
      const name = this.#text(key);
      const read = this.read(member, depth);
      // An assignment would set the prototype.
      if (name === "__proto__") Object.defineProperty(out, name, { ...descriptor, value: read });
      else out[name] = read;
    }
    return out;
  }
}

const descriptor = { enumerable: true, configurable: true, writable: true };

function memberOf(value: Record<string, unknown>, key: string): unknown {
  try {
    return value[key];
  } catch {
    return "[unreadable]";
  }
}
