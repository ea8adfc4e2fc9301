/** Maximum number of values that are serialized here: for more, `JSON.stringify` is faster. */
const FEW = 64;

/** A string that needs no escapes in JSON: no quote, backslash, control character or surrogate. */
const ordinary = /^[ !#-[\]-\uD7FF\uE000-\uFFFF]*$/;

/**
 * Serializes a small value of plain data, as nearly every message is, in one pass. Returns `undefined` for any other
 * value, which needs a slower and safer reader, and for JSON longer than `limit` characters.
 */
export function smallJson(value: unknown, limit: number): string | undefined {
  const writer = new Writer(limit);
  try {
    const json = writer.write(value);
    return writer.gaveUp || json === undefined || json.length > limit ? undefined : json;
  } catch {
    return undefined; // a getter threw
  }
}

class Writer {
  gaveUp = false;
  #remaining = FEW;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the JSON of a value. Returns `undefined` for values that JSON omits. */
  write(value: unknown): string | undefined {
    if (this.#remaining-- <= 0) return this.#giveUp();
    switch (typeof value) {
      case "string":
        if (value.length > this.#limit) return this.#giveUp();
        return ordinary.test(value) ? `"${value}"` : JSON.stringify(value);
      case "boolean":
        return value ? "true" : "false";
      case "number":
        return Number.isFinite(value) ? String(value) : "null";
      case "object":
        return value === null ? "null" : this.#object(value);
      case "bigint":
        return this.#giveUp();
      default:
        return undefined;
    }
  }

  #object(value: object): string | undefined {
    const list = Array.isArray(value);
    const isPlainValue = list || Object.getPrototypeOf(value) === Object.prototype;
    if (!isPlainValue || "toJSON" in value) return this.#giveUp();
    return list ? this.#list(value) : this.#fields(value as Readonly<Record<string, unknown>>);
  }

  #list(items: readonly unknown[]): string | undefined {
    if (items.length > this.#remaining) return this.#giveUp();
    let out = "[";
    for (let i = 0; i < items.length; i++) out += `${i === 0 ? "" : ","}${this.write(items[i]) ?? "null"}`;
    return `${out}]`;
  }

  #fields(value: Readonly<Record<string, unknown>>): string | undefined {
    const keys = Object.keys(value);
    if (keys.length > this.#remaining) return this.#giveUp();
    let out = "{";
    for (const key of keys) {
      const field = this.write(value[key]);
      if (field !== undefined) out += `${out === "{" ? "" : ","}${this.write(key)}:${field}`;
    }
    return `${out}}`;
  }

  #giveUp(): undefined {
    this.gaveUp = true;
  }
}
