import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { openLog, type Verdict } from "../src/index.js";
import { tampering, verifyInMemory } from "./in-memory.js";
import { logFiles, temporaryDirectory } from "./support.js";

/** Commits of 1 to 5 records, in two files that were closed. */
const shape = [
  [1, 3, 5, 2, 1],
  [2, 1, 4],
];
let key = "";
let names: string[] = [];
let bytes: Buffer[] = [];
let lines: string[][] = [];

beforeAll(async () => {
  const dir = await temporaryDirectory();
  for (const commits of shape) {
    const log = await openLog({ dir });
    for (const count of commits) {
      await Promise.all(
        Array.from({ length: count }, (_, n) => log.append({ id: crypto.randomUUID(), n, text: "é\u0000 paid" })),
      );
    }
    await log.close();
  }
  key = await readFile(join(dir, "key.pub"), "utf8");
  names = await logFiles(dir);
  bytes = await Promise.all(names.map((name) => readFile(join(dir, name))));
  lines = bytes.map((content) => content.toString().split("\n").slice(0, -1));
});

const verdictOf = (which: number, changed: Uint8Array): Promise<Verdict> =>
  verifyInMemory(new Map(names.map((name, n) => [name, n === which ? changed : (bytes[n] ?? changed)])), key);

const file = fc.constantFrom(0, 1);
const place = fc.nat({ max: 1_000_000 });
const someBytes = fc.uint8Array({ minLength: 1, maxLength: 600 });

/** Any change of some bytes of a file, at any place. */
async function foundInBytes(change: (whole: Buffer, at: number, some: Uint8Array) => Buffer): Promise<void> {
  await fc.assert(
    fc.asyncProperty(file, place, someBytes, async (which, at, some) => {
      const whole = bytes[which] ?? Buffer.of();
      const changed = change(Buffer.from(whole), at % whole.length, some);
      // What stands behind the last checkpoint was never acknowledged: there, nothing is changed.
      fc.pre(!changed.subarray(0, whole.length).equals(whole));
      expect((await verdictOf(which, changed)).ok).toBe(false);
    }),
    { numRuns: runs(300) },
  );
}

/** Any change of the lines of a file. `undefined`: not one that can be made here. */
async function foundInLines(change: (all: string[], at: number, to: number, other: string[]) => string[] | undefined) {
  await fc.assert(
    fc.asyncProperty(file, place, place, async (which, at, to) => {
      const [all, other] = [lines[which] ?? [], lines[1 - which] ?? []];
      const changed = change(all, at % all.length, to % all.length, other);
      fc.pre(changed !== undefined && changed.join() !== all.join());
      const { ok } = await verdictOf(which, Buffer.from((changed ?? []).map((line) => `${line}\n`).join("")));
      expect({ at, to, ok }).toEqual({ at, to, ok: false });
    }),
    { numRuns: runs(100) },
  );
}

/** The mark of a closed file says nothing of a record: its loss cannot be told from a process that was killed. */
const isMark = (all: string[], at: number): boolean => at === all.length - 1;

describe("a change of a closed log is found:", () => {
  it("none was made", async () => {
    expect(await verdictOf(0, bytes[0] ?? Buffer.of())).toMatchObject({ ok: true, size: 21, tail: 0 });
  });

  it("a flipped bit", () =>
    foundInBytes((whole, at, [some = 0]) => whole.fill((whole[at] ?? 0) ^ (1 << (some % 8)), at, at + 1)));

  it("a byte that is another one", () =>
    foundInBytes((whole, at, [some = 0]) => {
      // A zero in place of the last newline is what a power failure leaves.
      const byte = at === whole.length - 1 ? some || 1 : some;
      return whole.fill(byte, at, at + 1);
    }));

  it("bytes that were written over", () =>
    foundInBytes((whole, at, some) => {
      // Up to the mark: zeros from within it to the end are what a power failure leaves.
      const end = whole.lastIndexOf("\n", whole.length - 2) + 1;
      whole.set(some.subarray(0, Math.max(0, end - at)), at);
      return whole;
    }));

  it("bytes that were inserted", () =>
    foundInBytes((whole, at, some) => Buffer.concat([whole.subarray(0, at), some, whole.subarray(at)])));

  it("bytes that were taken out", () =>
    foundInBytes((whole, at, some) => {
      const mark = whole.lastIndexOf("\n", whole.length - 2) + 1;
      const upTo = Math.min(at + some.length, mark);
      return upTo > at ? Buffer.concat([whole.subarray(0, at), whole.subarray(upTo)]) : whole;
    }));

  it("a line that was deleted", () => foundInLines((all, at) => (isMark(all, at) ? undefined : all.toSpliced(at, 1))));

  it("lines that were deleted, commits among them", () =>
    foundInLines((all, at, to) => (isMark(all, to) || to < at ? undefined : all.toSpliced(at, to - at + 1))));

  it("a line that stands twice", () => foundInLines((all, at) => all.toSpliced(at, 0, all[at] ?? "")));

  it("a copy of a line elsewhere", () => foundInLines((all, at, to) => all.toSpliced(to, 0, all[at] ?? "")));

  it("lines that changed places", () =>
    foundInLines((all, at, to) => all.with(at, all[to] ?? "").with(to, all[at] ?? "")));

  it("a line that was moved", () =>
    foundInLines((all, at, to) => all.toSpliced(at, 1).toSpliced(to, 0, all[at] ?? "")));

  it("a record that was inserted", () => foundInLines((all, at) => all.toSpliced(at, 0, '{"n":1}')));

  it("a line of the other file", () =>
    foundInLines((all, at, to, other) => all.toSpliced(at, 0, other[to % other.length] ?? "")));

  it("a line of the other file in place of one", () =>
    foundInLines((all, at, to, other) => (isMark(all, at) ? undefined : all.with(at, other[to % other.length] ?? ""))));
});

describe("a changed record of a closed log", () => {
  it("is a problem beyond doubt, and among those that are named", async () => {
    await fc.assert(
      fc.asyncProperty(file, place, async (which, at) => {
        const all = lines[which] ?? [];
        const records = all.flatMap((line, n) => (line.startsWith("{") ? [n] : []));
        const line = records[at % records.length] ?? 0;
        const changed = all.with(line, (all[line] ?? "").replace(/[0-9a-f](?=[^0-9a-f]*$)/, "x"));
        const verdict = await verdictOf(which, Buffer.from(changed.map((text) => `${text}\n`).join("")));
        const [problem] = tampering(verdict);
        expect(problem).toMatchObject({ kind: "record_altered", file: names[which] });
        expect(problem?.line).toBeLessThanOrEqual(line + 1);
        expect(problem?.lastLine ?? problem?.line).toBeGreaterThanOrEqual(line + 1);
        const index = records.indexOf(line);
        expect(problem?.index).toBeLessThanOrEqual(index);
        expect(verdict.files[which]?.size).toBeLessThanOrEqual(index);
      }),
      { numRuns: runs(60) },
    );
  });
});
