import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { AuditError, ed25519Signer, generatePrivateKey } from "../../src/index.js";
import { checkConsistency, checkInclusion } from "../../src/proofs/check.js";
import { type ConsistencyText, formatProof, type InclusionText, parseProof } from "../../src/proofs/proof-text.js";
import { findById, proveConsistency, proveInclusion } from "../../src/proofs/prove.js";
import { proveRecord } from "../../src/query.js";
import type { Checkpoint } from "../../src/signing/checkpoint.js";
import { formatPublicKey } from "../../src/signing/key.js";
import { nodeCryptography } from "../../src/signing/node-cryptography.js";
import { openAnchors } from "../../src/verify/anchors.js";
import { checkProof } from "../../src/verify.js";
import { forge } from "../forge.js";
import { temporaryDirectory } from "../support.js";

const signer = ed25519Signer(generatePrivateKey("example.com/x"));
const other = ed25519Signer(generatePrivateKey("example.com/x"));
const file = "audit-1.jsonl";
const records = Array.from({ length: 9 }, (_, n) => JSON.stringify({ id: `r-${n}`, n }));

/** A log of these records, and a line each for what stands behind its checkpoint. */
async function logOf(given: readonly string[], change = (lines: readonly string[]) => lines): Promise<string> {
  const dir = await temporaryDirectory();
  const lines = change(await forge(signer, file, given));
  await writeFile(join(dir, file), lines.map((line) => `${line}\n`).join(""));
  return dir;
}

async function anchorOf(given: readonly string[], name = file): Promise<Checkpoint> {
  const note = JSON.parse((await forge(signer, name, given)).at(-1) ?? "") as string;
  const [checkpoint] = await openAnchors([note], [signer], nodeCryptography);
  if (!checkpoint) throw new Error("no checkpoint");
  return checkpoint;
}

let dir = "";
let inclusion: InclusionText;
let consistency: ConsistencyText;
beforeAll(async () => {
  dir = await logOf(records);
  inclusion = await proveInclusion(dir, file, 5, [signer]);
  consistency = await proveConsistency(dir, await anchorOf(records.slice(0, 6)), [signer]);
});

describe("a proof of a record", () => {
  it("holds under the key that signed, with the record as it is stored", async () => {
    expect(await checkInclusion(inclusion, [signer], nodeCryptography)).toMatchObject({
      holds: true,
      checkpoint: { size: 9 },
    });
    expect(Buffer.from(inclusion.record).toString()).toBe(records[5]);
  });

  it("does not hold under another key, nor for another record or place", async () => {
    const refused = { holds: false, because: "wrong_hashes" };
    expect(await checkInclusion(inclusion, [other], nodeCryptography)).toEqual({ holds: false, because: "not_signed" });
    expect(await checkInclusion({ ...inclusion, record: Buffer.from("{}") }, [signer], nodeCryptography)).toEqual(
      refused,
    );
    expect(await checkInclusion({ ...inclusion, index: 4 }, [signer], nodeCryptography)).toEqual(refused);
  });

  it("is made of the record with an id", async () => {
    expect(await findById(dir, [file], "r-7")).toEqual({ file, index: 7 });
    await expect(findById(dir, [file], "r-70")).rejects.toMatchObject({ code: "ERR_AUDIT_NO_PROOF" });
  });

  it.each([
    ["whose file was changed", (lines: readonly string[]) => lines.map((line) => line.replace('"n":2', '"n":3')), 5],
    ["whose file lost one", (lines: readonly string[]) => lines.slice(1), 5],
    [
      "whose checkpoint was changed",
      (lines: readonly string[]) => lines.map((l) => l.replace("commit 1", "commit 2")),
      5,
    ],
    ["that no checkpoint covers", (lines: readonly string[]) => [...lines, '{"n":9}'], 9],
    ["of a file without a checkpoint", (lines: readonly string[]) => lines.slice(0, -1), 5],
  ])("is not made of one %s", async (_, change, index) => {
    const damaged = await logOf(records, change);
    await expect(proveInclusion(damaged, file, index, [signer])).rejects.toMatchObject({ code: "ERR_AUDIT_NO_PROOF" });
  });
});

describe("a proof that is checked without a file system", () => {
  const keyOf = (of: typeof signer) => formatPublicKey(of, nodeCryptography.sha256);

  it("states the position of the record in the signed log", async () => {
    const proof = await proveRecord(dir, { file, index: 5 }, { key: keyOf(signer) });
    expect(proof).toBe(formatProof(inclusion));
    expect(await checkProof(proof, keyOf(signer))).toEqual({
      ...{ holds: true, record: records[5], file, index: 5, size: 9 },
      origin: expect.stringMatching(/^example.com\/x\//),
    });
  });

  it("does not hold under another key, nor for another record, and one that is none is refused", async () => {
    const proof = formatProof(inclusion);
    expect(await checkProof(proof, keyOf(other))).toEqual({ holds: false, because: "not_signed" });
    const altered = formatProof({ ...inclusion, record: Buffer.from("{}") });
    expect(await checkProof(altered, keyOf(signer))).toEqual({ holds: false, because: "wrong_hashes" });
    for (const text of ["", "x", formatProof(consistency)])
      await expect(checkProof(text, keyOf(signer))).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_PROOF" });
  });

  it("is created with the keys of the log's directory by default, and not for files elsewhere", async () => {
    await writeFile(join(dir, "key.pub"), `${keyOf(signer)}\n`);
    expect(await proveRecord(dir, { file, index: 5 })).toBe(formatProof(inclusion));
    for (const elsewhere of ["../x.jsonl", "/etc/passwd", "key"])
      await expect(proveRecord(dir, { file: elsewhere, index: 0 })).rejects.toMatchObject({
        code: "ERR_AUDIT_NO_PROOF",
      });
  });
});

describe("a proof from an anchor", () => {
  it("holds against that anchor", async () => {
    const anchor = await anchorOf(records.slice(0, 6));
    expect(await checkConsistency(consistency, anchor, [signer], nodeCryptography)).toMatchObject({ holds: true });
  });

  it("does not hold against another anchor, under another key, or with another size", async () => {
    const anchor = await anchorOf(records.slice(0, 6));
    const check = async (proof: ConsistencyText, against: Checkpoint, key = signer) => {
      const checked = await checkConsistency(proof, against, [key], nodeCryptography);
      return checked.holds ? "holds" : checked.because;
    };
    expect(await check(consistency, anchor, other)).toBe("not_signed");
    expect(await check({ ...consistency, oldSize: 5 }, anchor)).toBe("other_log");
    expect(await check(consistency, await anchorOf(records.slice(0, 5)))).toBe("other_log");
    expect(await check(consistency, await anchorOf(records.slice(0, 6), "audit-2.jsonl"))).toBe("other_log");
    expect(await check(consistency, await anchorOf(records.slice(1, 7)))).toBe("wrong_hashes");
  });

  it.each([
    ["that holds more than is left", [...records, '{"n":9}']],
    ["that holds another history", [...records.slice(0, 3), '{"n":"x"}']],
  ])("is not made for one %s", async (_, anchored) => {
    const made = proveConsistency(dir, await anchorOf(anchored), [signer]);
    await expect(made).rejects.toMatchObject({ code: "ERR_AUDIT_NO_PROOF" });
  });
});

describe("the text of a proof", () => {
  it("is read as it was written", () => {
    expect(parseProof(formatProof(inclusion))).toEqual({ ...inclusion, record: Uint8Array.from(inclusion.record) });
    expect(parseProof(formatProof(consistency))).toEqual(consistency);
  });

  it("is a tlog-proof as C2SP has it", () => {
    const [first, extra, index, ...rest] = formatProof(inclusion).split("\n");
    expect([first, index]).toEqual(["c2sp.org/tlog-proof@v1", "index 5"]);
    expect(extra).toBe(`extra ${Buffer.from(records[5] ?? "").toString("base64")}`);
    expect(rest.join("\n")).toMatch(/^(?:[A-Za-z0-9+/]{43}=\n){4}\nexample\.com\/x\/[0-9a-f]{32}\/audit-1\n9\n/);
  });

  it("is refused with one code where it is none", () => {
    const text = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(400), fc.string({ minLength: 1 })).map(([at, s]) => formatProof(inclusion).slice(0, at) + s),
    );
    fc.assert(
      fc.property(text, (given) => {
        try {
          parseProof(given);
        } catch (error) {
          expect(AuditError.is(error) && error.code).toBe("ERR_AUDIT_INVALID_PROOF");
        }
      }),
      { numRuns: runs(200) },
    );
    expect(() => parseProof("")).toThrow();
    expect(() => parseProof("old 01\n\nx")).toThrow("not a number");
  });
});
