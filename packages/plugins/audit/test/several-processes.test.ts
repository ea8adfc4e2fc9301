import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { anchorLog, ed25519Signer, generatePrivateKey, openLog } from "../src/index.js";
import type { Signer } from "../src/signing/signer.js";
import { forge } from "./forge.js";
import { tampering, verifyInMemory } from "./in-memory.js";
import { abandon, idOf, logFiles, temporaryDirectory } from "./support.js";

const PROCESSES = 4;

type Disk = ReadonlyMap<string, Buffer>;
let [key, id, anchor] = ["", "", ""];
let signer: Signer;
let disk: Disk = new Map();
let foreign: Disk = new Map();
/** Files that were closed, and one of a process that was killed; not the one of the anchor itself. */
let closed: string[] = [];
let killed = "";

/** A log as several processes write it at the same time, through several files each. The last of them is killed. */
async function written(dir: string): Promise<void> {
  const logs = await Promise.all(Array.from({ length: PROCESSES }, () => openLog({ dir, signer, maxFileBytes: 4000 })));
  for (let n = 0; n < 12; n++) {
    for (const [of, log] of logs.entries()) {
      await Promise.all(
        Array.from({ length: 1 + ((n + of) % 3) }, (_, i) => log.append({ n, of, i, text: "paid 10" })),
      );
    }
  }
  const [last, ...others] = logs.toReversed();
  for (const log of others) await log.close();
  if (last) await abandon(last, dir);
}

const read = async (dir: string): Promise<Disk> =>
  new Map(
    await Promise.all((await logFiles(dir)).map(async (name) => [name, await readFile(join(dir, name))] as const)),
  );

beforeAll(async () => {
  signer = ed25519Signer(generatePrivateKey());
  const [dir, other] = [await temporaryDirectory(), await temporaryDirectory()];
  await written(dir);
  await written(other);
  foreign = await read(other);
  anchor = await anchorLog(dir, { signer });
  disk = await read(dir);
  key = await readFile(join(dir, "key.pub"), "utf8");
  id = await idOf(dir);
  const isClosed = ([, bytes]: readonly [string, Buffer]) =>
    linesOf(bytes)
      .slice(-2)
      .every((line) => line.startsWith('"'));
  closed = [...disk].filter(isClosed).map(([name]) => name);
  killed = [...disk.keys()].find((name) => !closed.includes(name)) ?? "";
  closed = closed.filter((name) => !anchor.includes(name.slice(0, -6)));
});

const linesOf = (bytes: Buffer): string[] => bytes.toString().split("\n").slice(0, -1);
const fileOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(""));
const bytesOf = (name: string): Buffer => disk.get(name) ?? Buffer.of();
const verdictOf = (files: Disk, options = {}) => verifyInMemory(files, key, { anchor, ...options });
const pick = <T>(all: readonly T[], n: number): T => all[n % all.length] as T;

/** One change of the files; undefined where it is none. */
type Change = (files: Map<string, Buffer>, at: number, to: number) => void | Promise<void>;
const changes: Readonly<Record<string, Change>> = {
  "a file that was cut at any byte": (files, at, to) => {
    const name = pick(closed, at);
    // The last newline is nobody's word.
    files.set(name, bytesOf(name).subarray(0, to % (bytesOf(name).length - 1)));
  },
  "a file that was cut back to any commit": (files, at, to) => {
    const name = pick(closed, at);
    const lines = linesOf(bytesOf(name));
    const ends = lines.flatMap((line, n) => (line.startsWith('"') && n < lines.length - 1 ? [n + 1] : []));
    files.set(name, fileOf(lines.slice(0, pick(ends, to))));
  },
  "the file of a process that was killed, cut back to any earlier commit": (files, _, to) => {
    const lines = linesOf(bytesOf(killed));
    const ends = lines.flatMap((line, n) => (line.startsWith('"') && n < lines.length - 1 ? [n + 1] : []));
    files.set(killed, fileOf(lines.slice(0, pick(ends, to))));
  },
  "a file that is gone": (files, at) => void files.delete(pick([...closed, killed], at)),
  "several files that are gone": (files, at, to) => {
    for (const n of [at, to, at + to]) files.delete(pick([...closed, killed], n));
  },
  "a file that was added, of another log of this key": (files, at) => {
    const name = pick([...foreign.keys()], at);
    files.set(name, foreign.get(name) ?? Buffer.of());
  },
  "a file in the place of another, of this log": (files, at, to) => {
    const [from, into] = [pick([...disk.keys()], at), pick([...closed, killed], to)];
    files.set(into, from === into ? Buffer.of() : bytesOf(from));
  },
  "a file in the place of another, of another log of this key": (files, at, to) =>
    void files.set(pick([...closed, killed], to), foreign.get(pick([...foreign.keys()], at)) ?? Buffer.of()),
  "all files in the place of others, of another log of this key": (files) => {
    files.clear();
    for (const [name, bytes] of foreign) files.set(name, bytes);
  },
  "another history of a file, by the holder of the key": async (files, at, to) => {
    const name = pick([...closed, killed], at);
    const records = linesOf(bytesOf(name)).filter((line) => line.startsWith("{"));
    const place = 1 + (to % (records.length - 1));
    const forged = records.with(place, (records[place] ?? "").replace("paid 10", "paid 99").replace("}", ',"x":1}'));
    files.set(name, fileOf(await forge(signer, name, forged, id)));
  },
  "a changed record, without what closed the file": (files, at, to) => {
    const name = pick(closed, at);
    const lines = linesOf(bytesOf(name)).slice(0, -1);
    const records = lines.flatMap((line, n) => (line.includes("paid 10") ? [n] : []));
    const place = pick(records, to);
    files.set(name, fileOf(lines.with(place, (lines[place] ?? "").replace("paid 10", "paid 99"))));
  },
};

describe("with one anchor of a log that several processes wrote", () => {
  it("all that they wrote before it is held", async () => {
    expect(disk.size).toBeGreaterThan(PROCESSES + 4);
    expect(killed).not.toBe("");
    const { size, anchored, problems } = await verdictOf(disk);
    expect({ problems, anchored }).toEqual({ problems: [], anchored: size });
    expect(await verdictOf(disk, { everySignature: true })).toEqual(await verdictOf(disk));
  });

  it.each(Object.entries(changes))("it is found beyond doubt: %s", async (_, change) => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1e6 }), fc.nat({ max: 1e6 }), async (at, to) => {
        const files = new Map(disk);
        await change(files, at, to);
        expect(tampering(await verdictOf(files))).not.toEqual([]);
      }),
      { numRuns: runs(40) },
    );
  });

  it("what is added behind the last checkpoint of a process that was killed proves nothing, and takes nothing", async () => {
    const before = await verdictOf(disk);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('{"forged":1}', '{"n":2,"text":"paid 99"}'), { minLength: 1 }),
        async (added) => {
          const files = new Map(disk).set(killed, Buffer.concat([bytesOf(killed), fileOf(added)]));
          const { size, anchored, tail, problems } = await verdictOf(files);
          expect({ size, anchored, problems }).toEqual({ size: before.size, anchored: before.anchored, problems: [] });
          expect(tail).toBeGreaterThan(0);
        },
      ),
      { numRuns: runs(20) },
    );
  });
});
