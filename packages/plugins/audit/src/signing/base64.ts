const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NO_DIGIT = 0xff;
/** The value of each character below 128 as a digit. */
const values = new Uint8Array(128).fill(NO_DIGIT);
for (let value = 0; value < DIGITS.length; value++) values[DIGITS.charCodeAt(value)] = value;

/** Encodes bytes in standard base64 (RFC 4648, section 4), with padding. */
export function toBase64(bytes: Uint8Array): string {
  const { length } = bytes;
  let text = "";
  for (let at = 0; at < length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += (DIGITS[group >> 18] ?? "") + (DIGITS[(group >> 12) & 63] ?? "");
    text += at + 1 < length ? (DIGITS[(group >> 6) & 63] ?? "") : "=";
    text += at + 2 < length ? (DIGITS[group & 63] ?? "") : "=";
  }
  return text;
}

/**
 * Decodes base64. Returns `undefined` if the string is not exactly the output of `toBase64`: one value per string, and
 * one string per value.
 */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let held = 0;
  let end = 0;
  for (let at = 0; at < text.length - padding; at++) {
    const value = values[text.charCodeAt(at)] ?? NO_DIGIT;
    if (value === NO_DIGIT) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[end++] = bits >> held;
    }
  }
  // Decoders ignore the bits of the last digit after the last byte. They could be changed unnoticed.
  return (bits & ((1 << held) - 1)) === 0 ? bytes : undefined;
}
