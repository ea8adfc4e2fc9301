import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { nodeCryptography } from "../src/crypto/node.js";
import { MerkleTree } from "../src/tree/merkle.js";

const { sha256 } = nodeCryptography;
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The inputs and roots with which implementations of RFC 6962 are commonly checked (Certificate Transparency's own tests). */
const inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map(
  (text) => Buffer.from(text, "hex"),
);
const roots = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

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
    expect(hex(tree.root())).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(
      inputs.map((leaf) => {
        tree.append(leaf);
        return hex(tree.root());
      }),
    ).toEqual(roots);
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
    expect(hex(tree.root())).toBe(roots[2]);
  });
});
