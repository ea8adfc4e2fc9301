/** The maximum length of a canonical string, in characters. Longer requests are unlikely to repeat. */
const maxLength = 8 * 1024 * 1024;
/** The maximum depth of a value. Circular values exceed it. */
const maxDepth = 256;

/**
 * Returns the canonical string of a value: equal for equal values, whatever the order of their keys, and different for
 * different values. Bytes count by their content. Functions, class instances, `NaN` and similar values have no
 * canonical string.
 *
 * @returns `undefined` if there is no canonical string, or reading the value throws
 */
export function canonical(value: unknown): string | undefined {
  try {
    return new Writer().text(value, 0);
  } catch {
    return undefined;
  }
}

/** Writes one canonical string. Throws if there is none. */
class Writer {
  #left = maxLength;

  text(value: unknown, depth: number): string {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return this.#fits(value);
    if (typeof value === "number" && Number.isFinite(value)) return this.#fits(value);
    if (typeof value !== "object" || depth > maxDepth) throw new TypeError("It has no canonical text.");
    // JSON never begins with these letters, so the string differs from those of all other values.
    if (ArrayBuffer.isView(value)) return `bytes${this.#fits(kindOf(value))}${this.#fits(hex(bytesOf(value)))}`;
    if (value instanceof URL) return `url${this.#fits(value.href)}`;
    if (Array.isArray(value)) return `[${this.#all(Array.from(value, (item) => this.text(item, depth + 1)))}]`;
    if (!isPlain(value)) throw new TypeError("It has no canonical text.");
    const fields = value as Record<string, unknown>;
    const keys = Object.keys(fields).sort();
    const told = keys.filter((key) => fields[key] !== undefined);
    return `{${this.#all(told.map((key) => `${this.#fits(key)}:${this.text(fields[key], depth + 1)}`))}}`;
  }

  #fits(value: string | number | boolean | null): string {
    const text = JSON.stringify(value);
    this.#left -= text.length;
    if (this.#left < 0) throw new RangeError("It is too long.");
    return text;
  }

  #all(texts: readonly string[]): string {
    this.#left -= texts.length + 2;
    return texts.join(",");
  }
}

const kindOf = (view: ArrayBufferView): string => Object.prototype.toString.call(view);

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Returns true for a plain object of any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Bytes in lower-case hex. */
export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}
