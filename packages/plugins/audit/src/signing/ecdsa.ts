import { sameBytes } from "./bytes.js";

/**
 * Signature type of ECDSA with SHA-256 in C2SP signed-note. The key is its DER SubjectPublicKeyInfo, the id is the
 * beginning of the SHA-256 of that, and the signature is DER. This package supports only the curve P-256.
 */
export const ECDSA = 0x02;

/** The bytes before the 65 of a P-256 point in a SubjectPublicKeyInfo (RFC 5480). */
const prefix = Uint8Array.from("3059301306072a8648ce3d020106082a8648ce3d030107034200".match(/../g) ?? [], (byte) =>
  Number.parseInt(byte, 16),
);
const POINT_BYTES = 65;
const UNCOMPRESSED = 0x04;

/** Returns true for the SubjectPublicKeyInfo of a P-256 key with an uncompressed point. */
export const isP256Key = (bytes: Uint8Array): boolean =>
  bytes.length === prefix.length + POINT_BYTES &&
  sameBytes(bytes.subarray(0, prefix.length), prefix) &&
  bytes[prefix.length] === UNCOMPRESSED;

/** Returns the SubjectPublicKeyInfo of a point: 0x04, and the two coordinates. */
export function p256Key(point: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(prefix.length + point.length);
  bytes.set(prefix);
  bytes.set(point, prefix.length);
  return bytes;
}

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const NUMBER_BYTES = 32;

/** Converts a raw signature to DER: `r` and `s`, 32 bytes each. */
export function derOf(raw: Uint8Array): Uint8Array {
  const body = [...integer(raw.subarray(0, NUMBER_BYTES)), ...integer(raw.subarray(NUMBER_BYTES))];
  return Uint8Array.of(SEQUENCE, body.length, ...body);
}

function integer(bytes: Uint8Array): number[] {
  const from = bytes.findIndex((byte) => byte !== 0);
  const digits = from < 0 ? [0] : [...bytes.subarray(from)];
  // Without it, the number would be negative.
  const signed = (digits[0] ?? 0) >= 0x80 ? [0, ...digits] : digits;
  return [INTEGER, signed.length, ...signed];
}

/** Converts a DER signature to `r` and `s`. Returns `undefined` if it is not exactly the output of `derOf`. */
export function rawOf(der: Uint8Array): Uint8Array | undefined {
  const raw = new Uint8Array(2 * NUMBER_BYTES);
  let at = 2;
  for (const end of [NUMBER_BYTES, 2 * NUMBER_BYTES]) {
    const length = der[at + 1] ?? 0;
    const digits = der.subarray(at + 2, at + 2 + length);
    const number = digits[0] === 0 ? digits.subarray(1) : digits;
    if (number.length > NUMBER_BYTES) return undefined;
    raw.set(number, end - number.length);
    at += 2 + length;
  }
  return sameBytes(derOf(raw), der) ? raw : undefined;
}
