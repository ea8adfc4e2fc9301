import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { verifyConsistency } from "../../src/proofs/consistency.js";
import { verifyInclusion } from "../../src/proofs/inclusion.js";
import { consistencyPath, inclusionPath, PathHasher, type Subtree } from "../../src/proofs/subtrees.js";
import { MerkleTree } from "../../src/signing/merkle.js";
import { nodeCryptography } from "../../src/signing/node-cryptography.js";
import { consistencyVectors, inclusionVectors, leaves as published, roots } from "./vectors.js";

const { sha256 } = nodeCryptography;
const MAX = 300;
const leaves = Array.from({ length: MAX }, (_, i) => Buffer.from(`leaf ${i}`));
const rootAt: Uint8Array[] = [];
const growing = new MerkleTree(sha256);
for (const leaf of [undefined, ...leaves]) {
  if (leaf) growing.append(leaf);
  rootAt.push(growing.root());
}
const root = (size: number) => rootAt[size] as Uint8Array;
const leaf = (index: number) => leaves[index] as Uint8Array;
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

const place = fc
  .integer({ min: 1, max: MAX })
  .chain((size) => fc.record({ size: fc.constant(size), index: fc.integer({ min: 0, max: size - 1 }) }));
const growth = fc
  .integer({ min: 1, max: MAX })
  .chain((size) => fc.record({ size: fc.constant(size), oldSize: fc.integer({ min: 1, max: size }) }));

/** The hashes of a path over some leaves. */
const hashed = (path: readonly Subtree[], over: readonly Uint8Array[]): readonly Uint8Array[] => {
  const hasher = new PathHasher(path, sha256);
  for (const each of over) hasher.append(each);
  return hasher.hashes();
};
const inclusionProof = (over: readonly Uint8Array[], index: number) => hashed(inclusionPath(index, over.length), over);
const consistencyProof = (over: readonly Uint8Array[], oldSize: number) =>
  hashed(consistencyPath(oldSize, over.length), over);

/** The proof, changed in one of the ways that must be seen. */
const damage = (proof: readonly Uint8Array[], kind: number, at: number): readonly Uint8Array[] => {
  const i = proof.length === 0 ? 0 : at % proof.length;
  if (kind === 0 || proof.length === 0) return [...proof, root(1)];
  if (kind === 1) return proof.toSpliced(i, 1);
  const flipped = Uint8Array.from(proof[i] as Uint8Array);
  flipped[at % 32] = (flipped[at % 32] as number) ^ 1;
  return proof.with(i, flipped);
};
const change = { kind: fc.nat(2), at: fc.nat(1000) };

describe("an inclusion proof", () => {
  it.each(inclusionVectors)("of leaf $index in $size is the published one", ({ index, size, proof }) => {
    const made = inclusionProof(published.slice(0, size), index);
    expect(made.map(hex)).toEqual(proof);
    const inclusion = {
      leaf: published[index] as Uint8Array,
      index,
      size,
      root: Buffer.from(roots[size] ?? "", "hex"),
    };
    expect(verifyInclusion(inclusion, made, sha256)).toBe(true);
  });

  it("holds for any leaf of any tree, and for no other leaf, place, size or root", () => {
    fc.assert(
      fc.property(place, fc.nat(MAX - 1), fc.nat(MAX), ({ size, index }, other, otherSize) => {
        const proof = inclusionProof(leaves.slice(0, size), index);
        const claim = { leaf: leaf(index), index, size, root: root(size) };
        expect(verifyInclusion(claim, proof, sha256)).toBe(true);
        expect(verifyInclusion({ ...claim, leaf: leaf(other) }, proof, sha256)).toBe(other === index);
        expect(verifyInclusion({ ...claim, index: other }, proof, sha256)).toBe(other === index);
        expect(verifyInclusion({ ...claim, root: root(otherSize) }, proof, sha256)).toBe(otherSize === size);
      }),
      { numRuns: runs(150) },
    );
  });

  it("does not hold once a hash is changed, left out or added", () => {
    fc.assert(
      fc.property(place, fc.record(change), ({ size, index }, { kind, at }) => {
        const proof = damage(inclusionProof(leaves.slice(0, size), index), kind, at);
        expect(verifyInclusion({ leaf: leaf(index), index, size, root: root(size) }, proof, sha256)).toBe(false);
      }),
      { numRuns: runs(150) },
    );
  });
});

describe("a consistency proof", () => {
  it.each(consistencyVectors)("from $oldSize to $size is the published one", ({ oldSize, size, proof }) => {
    const made = consistencyProof(published.slice(0, size), oldSize);
    expect(made.map(hex)).toEqual(proof);
    const [oldRoot, newRoot] = [oldSize, size].map((n) => Buffer.from(roots[n] ?? "", "hex"));
    expect(
      verifyConsistency({ oldSize, oldRoot: oldRoot ?? Buffer.of(), size, root: newRoot ?? Buffer.of() }, made, sha256),
    ).toBe(true);
  });

  it("holds between any two sizes, and for no other root or size", () => {
    fc.assert(
      fc.property(growth, fc.integer({ min: 1, max: MAX }), ({ size, oldSize }, other) => {
        const proof = consistencyProof(leaves.slice(0, size), oldSize);
        const claim = { oldSize, oldRoot: root(oldSize), size, root: root(size) };
        expect(verifyConsistency(claim, proof, sha256)).toBe(true);
        expect(verifyConsistency({ ...claim, oldRoot: root(other) }, proof, sha256)).toBe(other === oldSize);
        expect(verifyConsistency({ ...claim, root: root(other) }, proof, sha256)).toBe(other === size);
      }),
      { numRuns: runs(150) },
    );
  });

  it("does not hold once a hash is changed, left out or added", () => {
    fc.assert(
      fc.property(growth, fc.record(change), ({ size, oldSize }, { kind, at }) => {
        const proof = damage(consistencyProof(leaves.slice(0, size), oldSize), kind, at);
        const claim = { oldSize, oldRoot: root(oldSize), size, root: root(size) };
        expect(verifyConsistency(claim, proof, sha256)).toBe(false);
      }),
      { numRuns: runs(150) },
    );
  });

  it.each([
    [0, 5],
    [6, 5],
    [-1, 5],
    [1.5, 5],
  ])("from %p to %p is none", (oldSize, size) => {
    expect(verifyConsistency({ oldSize, oldRoot: root(0), size, root: root(5) }, [], sha256)).toBe(false);
  });
});
