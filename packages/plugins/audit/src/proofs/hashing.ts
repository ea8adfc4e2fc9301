import { fromBase64 } from "@suite/kit";
import type { Sha256 } from "../signing/cryptography.js";

export { sameBytes } from "../signing/bytes.js";
export { nodeHash } from "../signing/merkle.js";

/** Returns the hash of a leaf (RFC 6962, section 2.1): SHA-256 over a zero byte and the leaf. */
export function leafHash(leaf: Uint8Array, sha256: Sha256): Uint8Array {
  const bytes = new Uint8Array(1 + leaf.length);
  bytes.set(leaf, 1);
  return sha256(bytes);
}

/** The length of a hash, in bytes. */
export const HASH_BYTES = 32;

/** Decodes the root of a checkpoint. Returns no bytes if it is not valid base64. */
export const rootBytes = (root: string): Uint8Array => fromBase64(root) ?? new Uint8Array(0);
