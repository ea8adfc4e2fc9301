import { keccak_256 } from "@noble/hashes/sha3.js";

/**
 * Returns true if a word is an address of Ethereum and its kin: 20 bytes; in mixed case the case is a checksum
 * (EIP-55).
 */
export function isEthereum(word: string): boolean {
  if (word.length !== 42 || !/^0[xX][0-9A-Fa-f]{40}$/.test(word)) return false;
  const digits = word.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = keccak_256(new TextEncoder().encode(lower));
  for (let at = 0; at < digits.length; at++) {
    const nibble = ((hash[at >> 1] ?? 0) >> (at % 2 === 0 ? 4 : 0)) & 15;
    const digit = lower.charAt(at);
    if (digits.charAt(at) !== (nibble > 7 ? digit.toUpperCase() : digit)) return false;
  }
  return true;
}
