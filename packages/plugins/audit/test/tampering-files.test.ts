import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { ed25519Signer, generatePrivateKey, openLog, type VerifyOptions } from "../src/index.js";
import { forge } from "./forge.js";
import { tampering, verifyInMemory } from "./in-memory.js";
import { idOf, logFiles, temporaryDirectory } from "./support.js";

type Disk = Map<string, Buffer>;

let key = "";
let names: string[] = [];
let disk: Disk = new Map();
let anchor = "";
const at = (n: number): string => names.at(n) ?? "";
const bytesOf = (n: number): Buffer => disk.get(at(n)) ?? Buffer.of();
const linesOf = (n: number): string[] => bytesOf(n).toString().split("\n").slice(0, -1);
const fileOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(""));

beforeAll(async () => {
  const dir = await temporaryDirectory();
  for (let file = 0; file < 3; file++) {
    const log = await openLog({ dir });
    for (let n = 0; n < 4; n++) await log.append({ file, n, text: "paid 10" });
    anchor = log.checkpoint ?? "";
    await log.close();
  }
  key = await readFile(join(dir, "key.pub"), "utf8");
  names = await logFiles(dir);
  disk = new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name))] as const)));
});

/** The problems found beyond doubt where the files are changed. */
async function found(change: (copy: Disk) => void | Promise<void>, options: VerifyOptions = {}, ownKey = key) {
  const copy = new Map(disk);
  await change(copy);
  return tampering(await verifyInMemory(copy, ownKey, options));
}

describe("a change of the files of a log is found:", () => {
  it("none was made", async () => {
    expect(await found(() => {})).toEqual([]);
    expect(await found(() => {}, { anchor })).toEqual([]);
  });

  it("a file that is gone, whichever a later one names", async () => {
    for (const n of [0, 1]) {
      const problems = await found((copy) => void copy.delete(at(n)));
      expect(problems).toContainEqual(expect.objectContaining({ kind: "file_missing", file: at(n) }));
    }
  });

  it("two files that changed names", async () => {
    const problems = await found((copy) => void copy.set(at(0), bytesOf(1)).set(at(1), bytesOf(0)));
    expect(problems).toContainEqual(expect.objectContaining({ kind: "checkpoint_foreign", file: at(0) }));
    expect(problems).toContainEqual(expect.objectContaining({ kind: "checkpoint_foreign", file: at(1) }));
  });

  it("a copy of a file under another name", async () => {
    const problems = await found((copy) => void copy.set("audit-copy.jsonl", bytesOf(1)));
    expect(problems).toMatchObject([{ kind: "checkpoint_foreign", file: "audit-copy.jsonl" }]);
  });

  it("two files in one", async () => {
    const problems = await found((copy) => void copy.set(at(2), Buffer.concat([bytesOf(2), bytesOf(0)])));
    expect(problems).toMatchObject([{ kind: "checkpoint_foreign", file: at(2) }]);
  });

  it("a file that was rolled back to any earlier commit, where a later one names it", async () => {
    const ends = linesOf(0).flatMap((line, n) => (line.startsWith('"') ? [n + 1] : []));
    // The last two end behind the last record: there is nothing missing.
    for (const end of ends.slice(0, -2)) {
      const problems = await found((copy) => void copy.set(at(0), fileOf(linesOf(0).slice(0, end))));
      expect(problems).toContainEqual(expect.objectContaining({ kind: "file_shortened", file: at(0) }));
    }
  });

  it("records of the last file that were cut off, with an anchor, and only with one", async () => {
    const lastRecord = linesOf(2).findLastIndex((line) => line.startsWith("{"));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: lastRecord }), async (length) => {
        const cut = (copy: Disk) => void copy.set(at(2), fileOf(linesOf(2).slice(0, length)));
        expect(await found(cut, { anchor })).not.toEqual([]);
        expect(await found(cut)).toEqual([]);
      }),
      { numRuns: runs(20) },
    );
    const gone = (copy: Disk) => void copy.delete(at(2));
    expect(await found(gone, { anchor })).toMatchObject([{ kind: "file_missing", file: at(2) }]);
    expect(await found(gone)).toEqual([]);
  });

  it("a file that another key has signed, with the key of the log", async () => {
    const other = ed25519Signer(generatePrivateKey());
    const records = linesOf(1).filter((line) => line.startsWith("{"));
    const signedAgain = async (copy: Disk) => void copy.set(at(1), fileOf(await forge(other, at(1), records)));
    expect(await found(signedAgain)).toContainEqual(expect.objectContaining({ kind: "unknown_key", file: at(1) }));
  });

  it("one checkpoint that another key has signed, whichever", async () => {
    const other = ed25519Signer(generatePrivateKey());
    const records = linesOf(1).filter((line) => line.startsWith("{"));
    for (const [n, line] of linesOf(1).entries()) {
      if (!line.startsWith('"')) continue;
      const size = linesOf(1)
        .slice(0, n)
        .filter((text) => text.startsWith("{")).length;
      const [note = ""] = (await forge(other, at(1), records.slice(0, size))).slice(-1);
      const problems = await found((copy) => void copy.set(at(1), fileOf(linesOf(1).with(n, note))));
      expect(problems[0]).toMatchObject({ kind: "unknown_key", file: at(1), line: n + 1 });
    }
  });

  it("another history by the holder of the key, with an anchor, or where a later file names the first", async () => {
    const dir = await temporaryDirectory();
    const signer = ed25519Signer(generatePrivateKey());
    const log = await openLog({ dir, signer });
    await log.append({ paid: 10 });
    const [name = ""] = await logFiles(dir);
    const [opening = ""] = (await readFile(join(dir, name), "utf8")).split("\n");
    const kept = log.checkpoint ?? "";
    await log.close();
    const ownKey = await readFile(join(dir, "key.pub"), "utf8");
    const forged = new Map([[name, fileOf(await forge(signer, name, [opening, '{"paid":99}'], await idOf(dir)))]]);
    expect(await verifyInMemory(forged, ownKey)).toMatchObject({ ok: true, attestation: "self" });
    const verdict = await verifyInMemory(forged, ownKey, { anchor: kept });
    expect(tampering(verdict)).toMatchObject([{ kind: "file_rewritten", file: name }]);
  });
});
