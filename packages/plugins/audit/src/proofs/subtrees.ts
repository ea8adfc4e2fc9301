import type { Sha256 } from "../signing/cryptography.js";
import { MerkleTree } from "../signing/merkle.js";

/** Consecutive leaves from `start` to `end`, without `end`. Their Merkle tree hash is one hash of a proof. */
export interface Subtree {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the subtrees whose hashes prove that a leaf is in a tree (RFC 6962, section 2.1.1), from the leaf's sibling
 * up.
 *
 * @param index of the leaf, from 0; below `size`
 */
export function inclusionPath(index: number, size: number): readonly Subtree[] {
  const path: Subtree[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + leftOf(end - start);
    path.push(index < middle ? { start: middle, end } : { start, end: middle });
    [start, end] = index < middle ? [start, middle] : [middle, end];
  }
  return path.reverse();
}

/**
 * Returns the subtrees whose hashes prove that a tree of `size` leaves begins with one of `oldSize` (RFC 6962, section
 * 2.1.2).
 *
 * @param oldSize from 1 to `size`; for equal sizes nothing needs to be proven
 */
export function consistencyPath(oldSize: number, size: number): readonly Subtree[] {
  const path: Subtree[] = [];
  let [start, end] = [0, size];
  while (end > oldSize) {
    const middle = start + leftOf(end - start);
    path.push(oldSize <= middle ? { start: middle, end } : { start, end: middle });
    [start, end] = oldSize <= middle ? [start, middle] : [middle, end];
  }
  // If the old tree is a subtree itself, the verifier already has its hash: the old root.
  if (start > 0) path.push({ start, end });
  return path.reverse();
}

/** Returns the largest power of two below `n`, the number of leaves in the left subtree. */
function leftOf(n: number): number {
  let left = 1;
  while (2 * left < n) left *= 2;
  return left;
}

/** Hashes the subtrees of a path in one pass over the leaves. Keeps no leaf, and O(log n) hashes per subtree. */
export class PathHasher {
  readonly #path: readonly Subtree[];
  readonly #trees: readonly MerkleTree[];
  #size = 0;

  constructor(path: readonly Subtree[], sha256: Sha256) {
    this.#path = path;
    this.#trees = path.map(() => new MerkleTree(sha256));
  }

  /** Adds the next leaf. */
  append(leaf: Uint8Array): void {
    const i = this.#path.findIndex(({ start, end }) => start <= this.#size && this.#size < end);
    this.#trees[i]?.append(leaf);
    this.#size++;
  }

  /** Returns the proof, after the last leaf. */
  hashes(): readonly Uint8Array[] {
    return this.#trees.map((tree) => tree.root());
  }
}
