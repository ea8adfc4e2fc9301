/** The most characters of one canonical text: a longer request is none that anybody asks twice. */
const maxLength = 8 * 1024 * 1024;
/** The depth to which values may nest: what goes round in circles is deeper. */
const maxDepth = 256;

/**
 * The canonical text of a value: equal for equal values, whatever the order of their keys, and different for any others.
 * Bytes count by their content; functions, class instances, `NaN` and the like have no such text.
 *
 * @returns undefined where there is none, or where reading the value throws.
 */
export function canonical(value: unknown): string | undefined {
  try {
    return new Writer().text(value, 0);
  } catch {
    return undefined;
  }
}

/** A writer of one canonical text. Throws where there is none. */
class Writer {
  #left = maxLength;

  text(value: unknown, depth: number): string {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return this.#fits(value);
    if (typeof value === "number" && Number.isFinite(value)) return this.#fits(value);
    if (typeof value !== "object" || depth > maxDepth) throw new TypeError("It has no canonical text.");
    // No JSON begins with these letters: such a text is no other value's.
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

/** Whether it is an object of nobody's class, also of another realm. */
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
