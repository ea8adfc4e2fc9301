/**
 * Content that holds no other values, and may be no text: bytes, a `Blob`. May throw for what throws when it is looked
 * at.
 */
export const isContent = (value: object): boolean =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer || (typeof Blob === "function" && value instanceof Blob);

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Treats the content of bytes that are text (UTF-8; for 16-bit arrays, their units). A string of bytes gives bytes of
 * the same class. In arrays of wider numbers each number that a rule matches is replaced, which gives a plain array.
 * Returns the original if nothing changed.
 *
 * @param unscannable Returns the replacement for content that is not text.
 */
export function treatContent(
  content: object,
  treat: (text: string) => string,
  unscannable: (content: object) => unknown,
  number: (value: number | bigint) => unknown,
): unknown {
  if (isUnits(content)) {
    const text = ofUnits(content);
    const treated = treat(text);
    if (treated !== text) return toUnits(content, treated);
  }
  if (isNumbers(content)) {
    const numbers: unknown[] = Array.from<number | bigint, unknown>(content as Iterable<number | bigint>, number);
    if (numbers.some((treated) => typeof treated === "string")) return numbers;
  }
  const bytes = bytesOf(content);
  const text = bytes && decoded(bytes);
  if (text === undefined) return isNumbers(content) ? content : unscannable(content);
  const treated = treat(text);
  return treated === text ? content : like(content, encoder.encode(treated));
}

function like(content: object, bytes: Uint8Array<ArrayBuffer>): unknown {
  // A Buffer stays one.
  if (content instanceof Uint8Array) return Object.setPrototypeOf(bytes, Object.getPrototypeOf(content));
  if (content instanceof DataView) return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return content instanceof ArrayBuffer ? bytes.slice().buffer : bytes;
}

/** Returns true for arrays whose elements may be UTF-16 units. */
const isUnits = (content: object): content is Uint16Array | Int16Array =>
  content instanceof Uint16Array || content instanceof Int16Array;

function ofUnits(units: Uint16Array | Int16Array): string {
  let text = "";
  for (let at = 0; at < units.length; at += 1024) text += String.fromCharCode(...units.subarray(at, at + 1024));
  return text;
}

function toUnits(like: Uint16Array | Int16Array, text: string): Uint16Array | Int16Array {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return like instanceof Uint16Array ? Uint16Array.from(codes) : Int16Array.from(codes);
}

/** Arrays whose elements may be numbers that are looked for. */
const isNumbers = (content: object): boolean =>
  ArrayBuffer.isView(content) && "BYTES_PER_ELEMENT" in content && Number(content.BYTES_PER_ELEMENT) > 2;

function bytesOf(content: object): Uint8Array | undefined {
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  return ArrayBuffer.isView(content)
    ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
    : undefined;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
