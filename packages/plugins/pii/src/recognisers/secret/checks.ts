/**
 * The score of near certainty. It is higher than that of an address, so that a secret in an address is found as a
 * secret. A published format without any doubt has 1.
 */
export const likely = 0.97;

/** Digits of base 62 as GitHub and npm write them. */
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const checksumLength = 6;

/**
 * GitHub and npm: the last six characters are the CRC-32 of the others in base 62. A token with a wrong checksum was
 * mistyped or made up; it still looks like one to everybody.
 */
export function checksummed(rest: string): number {
  let value = crc32(rest.slice(0, -checksumLength));
  let checksum = "";
  while (checksum.length < checksumLength) {
    checksum = `${digits[value % 62] ?? ""}${checksum}`;
    value = Math.floor(value / 62);
  }
  return rest.endsWith(checksum) ? 1 : likely;
}

/** CRC-32 as of IEEE 802.3, of ASCII. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) * 0xedb88320);
  }
  return ~crc >>> 0;
}

/** The check for prefixes that other words begin with too: the rest has digits among its letters, unlike a name. */
export function mixed(rest: string): number {
  return /\d[^\d]+\d/.test(rest) && entropy(rest) >= 3 ? likely : 0;
}

/** The check for short prefixes: the rest has letters of both cases and digits, unlike hashes and names. */
export function jumbled(rest: string): number {
  return /[a-z]/.test(rest) && /[A-Z]/.test(rest) && mixed(rest) > 0 && entropy(rest) >= 3.8 ? likely : 0;
}

/** The number of occurrences of each ASCII character in the current text. */
const counts = new Uint32Array(128);

/**
 * Returns the bits per character (Shannon) of an ASCII text. Other characters are counted by their lower seven bits.
 */
export function entropy(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) & 127;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) & 127;
    const count = counts[code] ?? 0;
    if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
    counts[code] = 0;
  }
  return bits;
}
