/** The number of bytes per call: the number of arguments of a call is limited. */
const slice = 8192;

/** Encodes bytes in standard base64 (RFC 4648, section 4), with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += slice) binary += String.fromCharCode(...bytes.subarray(at, at + slice));
  return btoa(binary);
}

/**
 * Decodes base64. Returns `undefined` if the string is not exactly the output of `toBase64`: one value per string, and
 * one string per value.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text);
    // `atob` ignores white space, missing padding, and the bits of the last digit after the last byte.
    if (btoa(binary) !== text) return undefined;
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Encodes bytes in lower-case hex. */
export function toHex(bytes: Uint8Array | ArrayBuffer): string {
  let text = "";
  for (const byte of bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)) text += digits[byte];
  return text;
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
