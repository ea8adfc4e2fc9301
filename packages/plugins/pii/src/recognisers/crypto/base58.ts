import { blake2b } from "@noble/hashes/blake2.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58, base58xmr, base58xrp } from "@scure/base";
import { byron } from "./byron.js";

/** The minimum and maximum number of characters of an address. */
export const shortestBase58 = 25;
export const longestBase58 = 128;

/** The digits and letters of base 58: without `0`, `O`, `I` and `l`. */
const alphabet = /^[1-9A-HJ-NP-Za-km-z]+$/;
/** The bytes before the checksum of SS58. */
const ss58 = new TextEncoder().encode("SS58PRE");

/**
 * Returns the score of a word as a base 58 address, by its checksum: Bitcoin and its descendants (Litecoin, Dogecoin,
 * Dash, Zcash, Tron, Tezos and more), XRP, Monero, Polkadot, Cardano's first era. Solana's addresses have no checksum.
 */
export function base58Score(word: string): number {
  const { length } = word;
  if (length < shortestBase58 || length > longestBase58 || !alphabet.test(word)) return 0;
  if (length <= 36) return isChecked(word) ? 0.95 : 0;
  if (length === 43 || length === 44) return base58.decode(word).length === 32 ? 0.25 : 0;
  if (length >= 46 && length <= 50) return isSs58(base58.decode(word)) ? 0.9 : 0;
  if (length === 95 || length === 106) return isMonero(word) ? 0.95 : byron(base58.decode(word)) ? 0.95 : 0;
  return length > 50 && byron(base58.decode(word)) ? 0.95 : 0;
}

/** One to three bytes of version, a hash of 20 bytes, and the first four bytes of its double SHA-256. */
function isChecked(word: string): boolean {
  const coder = word.startsWith("r") ? base58xrp : base58;
  const bytes = coder.decode(word);
  if (bytes.length < 25 || bytes.length > 27) return false;
  return endsWith(bytes, sha256(sha256(bytes.subarray(0, -4))).subarray(0, 4));
}

/** Polkadot's format: one or two bytes of network, 32 of account, two of BLAKE2b. */
function isSs58(bytes: Uint8Array): boolean {
  const network = (bytes[0] ?? 0) < 64 ? 1 : 2;
  if (bytes.length !== network + 34) return false;
  const hash = blake2b.create({ dkLen: 64 }).update(ss58).update(bytes.subarray(0, -2)).digest();
  return endsWith(bytes, hash.subarray(0, 2));
}

/** Monero: a byte of network, two keys, maybe a payment id, four bytes of Keccak. */
function isMonero(word: string): boolean {
  try {
    const bytes = base58xmr.decode(word);
    return endsWith(bytes, keccak_256(bytes.subarray(0, -4)).subarray(0, 4));
  } catch {
    return false;
  }
}

function endsWith(bytes: Uint8Array, tail: Uint8Array): boolean {
  const from = bytes.length - tail.length;
  return tail.every((byte, index) => bytes[from + index] === byte);
}
