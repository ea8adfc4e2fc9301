/** Content that holds no other values, and may be no text: bytes, a `Blob`. May throw for what throws when it is looked at. */
export const isContent = (value: object): boolean =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer || (typeof Blob === "function" && value instanceof Blob);

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Bytes that are text (UTF-8) with that text treated, in bytes of the same class; themselves where nothing changed.
 *
 * @param unscannable what is put in the place of what is no text.
 */
export function treatContent(
  content: object,
  treat: (text: string) => string,
  unscannable: (content: object) => unknown,
): unknown {
  const text = textOf(content);
  if (text === undefined) return unscannable(content);
  const treated = treat(text);
  if (treated === text) return content;
  const bytes = encoder.encode(treated);
  // A Buffer stays one.
  return content instanceof Uint8Array
    ? Object.setPrototypeOf(bytes, Object.getPrototypeOf(content))
    : bytes.slice().buffer;
}

/** Undefined where it cannot be read as text, or not without waiting. */
function textOf(content: object): string | undefined {
  if (!(content instanceof Uint8Array || content instanceof ArrayBuffer)) return undefined;
  try {
    return decoder.decode(content);
  } catch {
    return undefined;
  }
}
