import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { MerkleTree } from "../src/signing/merkle.js";
import { nodeCryptography } from "../src/signing/node-cryptography.js";
import { leaves as inputs, roots } from "./proofs/vectors.js";

const { sha256 } = nodeCryptography;
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The definition in section 2.1, word for word: the largest power of two below n to the left. */
function definition(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array(0));
  if (leaves.length === 1) return sha256(Buffer.concat([Buffer.of(0), leaves[0] ?? Buffer.of()]));
  let k = 1;
  while (2 * k < leaves.length) k *= 2;
  return sha256(Buffer.concat([Buffer.of(1), definition(leaves.slice(0, k)), definition(leaves.slice(k))]));
}

describe("the Merkle tree", () => {
  it("has the known roots of the known leaves", () => {
    const tree = new MerkleTree(sha256);
    const found = [hex(tree.root())];
    for (const leaf of inputs) {
      tree.append(leaf);
      found.push(hex(tree.root()));
    }
    expect(found).toEqual(roots);
  });

  it("is the tree of the definition, for any leaves", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 70 }), (leaves) => {
        const tree = new MerkleTree(sha256);
        for (const leaf of leaves) tree.append(leaf);
        expect(hex(tree.root())).toBe(hex(definition(leaves)));
        expect(tree.size).toBe(leaves.length);
      }),
      { numRuns: runs(100) },
    );
  });

  it("leaves the original alone when a copy grows", () => {
    const tree = new MerkleTree(sha256);
    for (const leaf of inputs.slice(0, 3)) tree.append(leaf);
    tree.copy().append(Buffer.of(1));
    expect(hex(tree.root())).toBe(roots[3]);
  });
});
