import { canonicalWriter, toHex } from "@suite/kit";

const write = canonicalWriter({
  refuse: (what) => new TypeError(`There is no canonical string of ${what}.`),
  omitUndefined: true,
  // Circular values exceed it.
  maxDepth: 256,
  // Longer requests are unlikely to repeat.
  maxLength: 8 * 1024 * 1024,
  special,
});

/**
 * Returns the canonical string of a value: equal for equal values, whatever the order of their keys, and different for
 * different values. Bytes count by their content. Functions, class instances, `NaN` and similar values have no
 * canonical string.
 *
 * @returns `undefined` if there is no canonical string, or reading the value throws
 */
export function canonical(value: unknown): string | undefined {
  try {
    return write(value);
  } catch {
    return undefined;
  }
}

/** Writes bytes and addresses. JSON never begins with these letters, so the string differs from those of all other values. */
function special(value: object): string | undefined {
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    return `bytes${JSON.stringify(kindOf(value))}"${toHex(new Uint8Array(buffer, byteOffset, byteLength))}"`;
  }
  if (value instanceof URL) return `url${JSON.stringify(value.href)}`;
  if (isPlainObject(value)) return undefined;
  throw new TypeError("There is no canonical string of an instance of a class.");
}

const kindOf = (view: ArrayBufferView): string => Object.prototype.toString.call(view);

/** Returns true for a plain object of any realm. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
