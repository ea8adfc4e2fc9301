import type { Sha256 } from "../signing/cryptography.js";
import { Ascent } from "./ascent.js";
import { leafHash, nodeHash, sameBytes } from "./hashing.js";

/** The claim that a leaf is at a place of a tree. */
export interface Inclusion {
  readonly leaf: Uint8Array;
  /** The index of the leaf, from 0. */
  readonly index: number;
  /** The number of leaves of the tree. */
  readonly size: number;
  /** The tree's root. */
  readonly root: Uint8Array;
}

/** Returns true if the hashes are the audit path of the leaf at that index of the tree (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(
  { leaf, index, size, root }: Inclusion,
  proof: readonly Uint8Array[],
  sha256: Sha256,
): boolean {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  const ascent = new Ascent(index, size - 1);
  let hash = leafHash(leaf, sha256);
  for (const sibling of proof) {
    if (ascent.atRoot) return false;
    hash = ascent.next() ? nodeHash(sibling, hash, sha256) : nodeHash(hash, sibling, sha256);
  }
  return ascent.atRoot && sameBytes(hash, root);
}
