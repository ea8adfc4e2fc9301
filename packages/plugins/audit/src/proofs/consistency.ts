import type { Sha256 } from "../signing/cryptography.js";
import { Ascent } from "./ascent.js";
import { nodeHash, sameBytes } from "./hashing.js";

/** The claim that a tree begins with all the leaves of an earlier one. */
export interface Consistency {
  readonly oldSize: number;
  readonly oldRoot: Uint8Array;
  readonly size: number;
  readonly root: Uint8Array;
}

/** Returns true if the hashes prove that the tree begins with the old one (RFC 9162, section 2.1.4.2). */
export function verifyConsistency(
  { oldSize, oldRoot, size, root }: Consistency,
  proof: readonly Uint8Array[],
  sha256: Sha256,
): boolean {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(oldSize) || oldSize < 1 || oldSize > size) return false;
  if (oldSize === size) return proof.length === 0 && sameBytes(oldRoot, root);
  const ascent = new Ascent(oldSize - 1, size - 1);
  ascent.skipRightChildren();
  // If the old tree is one complete subtree, the proof omits its root.
  const [first, ...siblings] = ascent.atFirst ? [oldRoot, ...proof] : proof;
  if (!first) return false;
  let [oldHash, hash] = [first, first];
  for (const sibling of siblings) {
    if (ascent.atRoot) return false;
    const isLeft = ascent.next();
    if (isLeft) oldHash = nodeHash(sibling, oldHash, sha256);
    hash = isLeft ? nodeHash(sibling, hash, sha256) : nodeHash(hash, sibling, sha256);
  }
  return ascent.atRoot && sameBytes(oldHash, oldRoot) && sameBytes(hash, root);
}
