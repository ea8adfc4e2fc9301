/** Rules for values outside JSON. */
export interface CanonicalRules {
  /**
   * Creates the error for a value that JSON does not have, from a description without the value, and its depth. Absent:
   * such values are written as `JSON.stringify` writes them, but bigints throw.
   */
  readonly refuse?: (what: string, depth: number) => Error;
  /** Leaves out members that are undefined. Default: true without `refuse`, else they are refused. */
  readonly omitUndefined?: boolean;
  /** The maximum number of objects and arrays inside each other. Needs `refuse`. Default: no limit. */
  readonly maxDepth?: number;
  /** The maximum number of characters, counted approximately. Needs `refuse`. Default: no limit. */
  readonly maxLength?: number;
  /** Writes an object that is not plain, such as bytes. If it returns `undefined`, the members are written. */
  readonly special?: (value: object) => string | undefined;
}

const loneSurrogate = /\p{Surrogate}/u;
const identifier = /^[A-Za-z_]{1,32}$/;
/** A string that needs no escapes in JSON: no quote, backslash, control character or surrogate. */
const ordinary = /^[ !#-[\]-\uD7FF\uE000-\uFFFF]*$/;

/** A cache of serialized member names with their colon: programs use the same names again and again. */
const names = new Map<string, string>();
const MAX_NAMES = 256;

/**
 * Creates a function that writes canonical JSON (RFC 8785): no white space, object keys sorted by UTF-16 code units,
 * numbers and strings in the format of ECMAScript. Equal values have equal strings.
 *
 * @example
 * ```ts
 * const canonicalJson = canonicalWriter();
 * canonicalJson({ b: 1e21, a: "é" }); // {"a":"é","b":1e+21}
 * ```
 */
export function canonicalWriter(rules: CanonicalRules = {}): (value: unknown) => string {
  return (value) => new Writer(rules).value(value, 0);
}

class Writer {
  readonly #rules: CanonicalRules;
  readonly #maxDepth: number;
  readonly #omits: boolean;
  #remaining: number;

  constructor(rules: CanonicalRules) {
    this.#rules = rules;
    this.#maxDepth = rules.maxDepth ?? Number.POSITIVE_INFINITY;
    this.#omits = rules.omitUndefined ?? rules.refuse === undefined;
    this.#remaining = rules.maxLength ?? Number.POSITIVE_INFINITY;
  }

  value(value: unknown, depth: number): string {
    switch (typeof value) {
      case "string":
        return this.#counted(this.#text(value, depth), depth);
      case "number":
        return Number.isFinite(value) ? this.#counted(String(value), depth) : this.#other(value, String(value), depth);
      case "boolean":
        return value ? "true" : "false";
      case "object":
        if (value === null) return "null";
        if (depth >= this.#maxDepth) {
          throw this.#error(`a cycle, or data nested deeper than ${this.#maxDepth} levels,`, depth);
        }
        return Array.isArray(value) ? this.#list(value, depth + 1) : this.#object(value, depth + 1);
      default:
        return this.#other(value, typeof value, depth);
    }
  }

  #list(value: readonly unknown[], depth: number): string {
    let out = "[";
    // By index, so that a hole is read as undefined.
    for (let i = 0; i < value.length; i++) out += (i === 0 ? "" : ",") + this.value(value[i], depth);
    return this.#counted(`${out}]`, depth, 2);
  }

  #object(value: object, depth: number): string {
    if (!isPlainObject(value)) {
      const special = this.#rules.special?.(value);
      if (special !== undefined) return this.#counted(special, depth);
      const tag = Object.prototype.toString.call(value);
      if (tag !== "[object Object]" && this.#rules.refuse !== undefined) throw this.#error(tag.slice(8, -1), depth);
    }
    let out = "";
    for (const key of sortedKeys(value)) {
      const member = (value as Record<string, unknown>)[key];
      if (member === undefined && this.#omits) continue;
      out += (out === "" ? "{" : ",") + this.#counted(this.#name(key, depth), depth) + this.value(member, depth);
    }
    return out === "" ? "{}" : `${out}}`;
  }

  #name(key: string, depth: number): string {
    const known = names.get(key);
    if (known !== undefined) return known;
    const written = `${this.#text(key, depth)}:`;
    if (identifier.test(key) && names.size < MAX_NAMES) names.set(key, written);
    return written;
  }

  #text(value: string, depth: number): string {
    if (ordinary.test(value)) return `"${value}"`;
    if (this.#rules.refuse !== undefined && loneSurrogate.test(value))
      throw this.#error("a string with half of a surrogate pair", depth);
    return JSON.stringify(value);
  }

  #other(value: unknown, what: string, depth: number): string {
    if (this.#rules.refuse !== undefined) throw this.#error(what, depth);
    return JSON.stringify(value) ?? "null";
  }

  #counted(text: string, depth: number, length = text.length): string {
    this.#remaining -= length;
    if (this.#remaining < 0) throw this.#error("a value that is too long", depth);
    return text;
  }

  #error(what: string, depth: number): Error {
    return this.#rules.refuse?.(what, depth) ?? new RangeError(what);
  }
}

/** Returns the keys sorted by UTF-16 code units. Records already have that order. */
function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  for (let i = 1; i < keys.length; i++) {
    if ((keys[i] as string) < (keys[i - 1] as string)) return keys.sort();
  }
  return keys;
}

/** True for a plain object of this realm, which most values consist of. */
const isPlainObject = (value: object): boolean =>
  Object.getPrototypeOf(value) === Object.prototype && !(Symbol.toStringTag in value);
