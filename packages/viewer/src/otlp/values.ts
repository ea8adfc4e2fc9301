import { isRecord } from "@suite/kit";
import type { Attributes } from "../run/span.js";

type Json = Readonly<Record<string, unknown>>;

/** The bounds for the data of one span or one resource. */
export interface Bounds {
  /** Characters of all its strings together. */
  readonly characters: number;
  /** Values in all its attributes together, also those in lists and objects. */
  readonly values: number;
}

/** The bounds of a span: a conversation with images fits in. */
export const spanBounds: Bounds = { characters: 16 * 1024 * 1024, values: 100_000 };
/** The bounds of a resource: it is written to disk, and sent to the page, with each of its spans. */
export const resourceBounds: Bounds = { characters: 32 * 1024, values: 1000 };

/** Deeper values are replaced by a mark. */
const DEEPEST = 32;
/** The longest key of an attribute. */
const LONGEST_KEY = 512;
/** The memory that one value takes besides its characters, in bytes. An estimate. */
const VALUE_BYTES = 64;

/** Reads the attributes and strings of one span within its bounds. What exceeds them is replaced by a mark. */
export class ValueReader {
  readonly #bounds: Bounds;
  #characters = 0;
  #values = 0;
  #omitted = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** The memory that the values take, in bytes. An estimate. */
  get size(): number {
    return this.#characters + this.#values * VALUE_BYTES;
  }

  /** Returns a string, cut to a length. Returns an empty string for any other value. */
  name(value: unknown, longest: number): string {
    const name = typeof value === "string" ? value : "";
    const cut = name.length > longest ? `${name.slice(0, longest)}…` : name;
    this.#characters += cut.length;
    return cut;
  }

  /** Returns a list of attributes as an object. */
  attributes(list: unknown): Attributes {
    return this.#members(list, 0);
  }

  #members(list: unknown, depth: number): Record<string, unknown> {
    const members: Record<string, unknown> = Object.create(null);
    for (const { key, value } of objects(list)) {
      if (typeof key !== "string") continue;
      if (this.#values >= this.#bounds.values) this.#omitted++;
      else members[this.name(key, LONGEST_KEY)] = this.#value(object(value), depth);
    }
    if (this.#omitted > 0 && depth === 0) members["(left out)"] = `${this.#omitted} values`;
    return members;
  }

  #value(value: Json, depth: number): unknown {
    this.#values++;
    if (depth > DEEPEST) return "(nested too deeply)";
    if (typeof value.stringValue === "string") return this.#text(value.stringValue);
    if (typeof value.boolValue === "boolean") return value.boolValue;
    if (value.intValue !== undefined) return integer(value.intValue);
    if (value.doubleValue !== undefined) return Number(value.doubleValue);
    if (value.arrayValue !== undefined) return this.#list(object(value.arrayValue).values, depth + 1);
    if (value.kvlistValue !== undefined) return this.#members(object(value.kvlistValue).values, depth + 1);
    return typeof value.bytesValue === "string" ? this.#text(value.bytesValue) : null;
  }

  #list(list: unknown, depth: number): unknown[] {
    const values: unknown[] = [];
    for (const each of objects(list)) {
      if (this.#values >= this.#bounds.values) this.#omitted++;
      else values.push(this.#value(each, depth));
    }
    return values;
  }

  /** Returns the whole string or a mark: half of a message would be invalid JSON. */
  #text(value: string): string {
    if (this.#characters + value.length > this.#bounds.characters) return `(${value.length} characters left out)`;
    this.#characters += value.length;
    return value;
  }
}

/** Returns an integer as a number if it is safe, otherwise as its digits. */
function integer(value: unknown): unknown {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value).slice(0, 20);
}

/** Returns the value if it is an object, otherwise an empty object. */
export const object = (value: unknown): Json => (isRecord(value) ? (value as Json) : {});

/** Returns the objects of a list. Returns an empty list for any other value. */
export const objects = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter((each): each is Json => typeof each === "object" && each !== null) : [];
