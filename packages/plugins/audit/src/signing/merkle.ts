import type { Sha256 } from "./cryptography.js";

const LEAF = 0x00;
const NODE = 0x01;

/**
 * The Merkle tree of RFC 6962, built leaf by leaf. Keeps one hash for each complete subtree, largest first: as many as
 * the size has one bits.
 */
export class MerkleTree {
  readonly #sha256: Sha256;
  readonly #subtrees: Uint8Array[];
  #size: number;
  /** A buffer for hashing. Copies share it, since it keeps no state. */
  #scratch: Uint8Array;

  constructor(sha256: Sha256, from?: MerkleTree) {
    this.#sha256 = sha256;
    this.#scratch = from ? from.#scratch : new Uint8Array(4096);
    this.#subtrees = from ? [...from.#subtrees] : [];
    this.#size = from ? from.#size : 0;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns a tree of the same leaves that grows separately. */
  copy(): MerkleTree {
    return new MerkleTree(this.#sha256, this);
  }

  append(leaf: Uint8Array): void {
    let hash = this.#leafHash(leaf);
    // Each complete pair of subtrees of one height becomes one of the next, like carrying in binary addition.
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2) {
      hash = nodeHash(this.#subtrees.pop() as Uint8Array, hash, this.#sha256);
    }
    this.#subtrees.push(hash);
    this.#size++;
  }

  /** Returns the Merkle tree hash: 32 bytes. Without leaves it is the hash of no bytes. */
  root(): Uint8Array {
    if (this.#size === 0) return this.#sha256(new Uint8Array(0));
    return this.#subtrees.reduceRight((right, left) => nodeHash(left, right, this.#sha256));
  }

  #leafHash(leaf: Uint8Array): Uint8Array {
    if (this.#scratch.length <= leaf.length) this.#scratch = new Uint8Array(2 * leaf.length + 1);
    this.#scratch[0] = LEAF;
    this.#scratch.set(leaf, 1);
    return this.#sha256(this.#scratch.subarray(0, leaf.length + 1));
  }
}

const pair = Uint8Array.of(NODE, ...new Uint8Array(64));

/** Returns the hash of a node (RFC 6962, section 2.1): SHA-256 over a byte 1, the left hash and the right one. */
export function nodeHash(left: Uint8Array, right: Uint8Array, sha256: Sha256): Uint8Array {
  pair.set(left, 1);
  pair.set(right, 33);
  return sha256(pair);
}
