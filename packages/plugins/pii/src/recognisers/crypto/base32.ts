import { sha512_256 } from "@noble/hashes/sha2.js";
import { base32nopad } from "@scure/base";

/**
 * Returns true if a word is an address in base 32: of Algorand (58 characters) or Stellar (56, or 69 with a memo), by
 * its checksum.
 */
export function isBase32(word: string): boolean {
  const { length } = word;
  if ((length !== 56 && length !== 58 && length !== 69) || !/^[A-Z2-7]+$/.test(word)) return false;
  if (length !== 58 && word[0] !== (length === 56 ? "G" : "M")) return false;
  try {
    const bytes = base32nopad.decode(word);
    return length === 58 ? isAlgorand(bytes) : isStellar(bytes);
  } catch {
    return false;
  }
}

function isAlgorand(bytes: Uint8Array): boolean {
  const check = sha512_256(bytes.subarray(0, 32)).subarray(-4);
  return check.every((byte, index) => bytes[32 + index] === byte);
}

/** The checksum is CRC-16/XMODEM, the lower byte first. */
function isStellar(bytes: Uint8Array): boolean {
  let crc = 0;
  for (const byte of bytes.subarray(0, -2)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return bytes.at(-2) === (crc & 255) && bytes.at(-1) === crc >> 8;
}
