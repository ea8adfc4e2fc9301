import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { openLog, verify } from "../src/index.js";
import { linesOf, logFiles, temporaryDirectory, writeLines } from "./support.js";

/** Commits of 1 to 5 records, in two files. */
const shape = [
  [1, 3, 5, 2, 1],
  [2, 1, 4],
];
let lines: string[][] = [];
let files: string[] = [];
let dir = "";
let anchor = "";

async function writeLog(): Promise<void> {
  dir = await temporaryDirectory();
  for (const commits of shape) {
    const log = await openLog({ dir });
    for (const count of commits) {
      await Promise.all(
        Array.from({ length: count }, (_, n) => log.append({ id: crypto.randomUUID(), n, text: "é\u0000 paid" })),
      );
    }
    anchor = log.checkpoint ?? "";
    await log.close();
  }
  files = await logFiles(dir);
  lines = await Promise.all(files.map((file) => linesOf(dir, file)));
}

/** Each run changes the files and then puts them back. */
async function verifyChanged(file: number, change: (lines: string[]) => string[], options = {}) {
  const name = files[file] ?? "";
  const before = lines[file] ?? [];
  await writeLines(dir, change(before), name);
  const verdict = await verify(dir, options);
  await writeLines(dir, before, name);
  return verdict;
}

const place = fc.nat({ max: 1000 });
const file = fc.constantFrom(0, 1);

describe("a change of a log", () => {
  beforeAll(writeLog);

  it("is found: flipped, deleted, inserted, swapped, duplicated, records and checkpoints", async () => {
    expect(await verify(dir)).toMatchObject({ ok: true, size: 21 });

    const bytes = await Promise.all(files.map((name) => readFile(join(dir, name))));
    await fc.assert(
      fc.asyncProperty(
        file,
        place,
        fc.nat({ max: 1_000_000 }),
        fc.integer({ min: 0, max: 7 }),
        async (which, _, at, bit) => {
          const whole = Buffer.from(bytes[which] ?? []);
          const index = at % whole.length;
          whole[index] = (whole[index] ?? 0) ^ (1 << bit);
          await writeFile(join(dir, files[which] ?? ""), whole);
          const { ok } = await verify(dir);
          await writeFile(join(dir, files[which] ?? ""), bytes[which] ?? "");
          expect(ok).toBe(false);
        },
      ),
      { numRuns: runs(400) },
    );

    const index = (at: number, which: number) => at % (lines[which]?.length ?? 1);
    const found = (name: string, changed: (all: string[], at: number, to: number) => string[] | undefined) =>
      fc.assert(
        fc.asyncProperty(file, place, place, async (which, at, to) => {
          const all = lines[which] ?? [];
          const after = changed(all, index(at, which), index(to, which));
          fc.pre(after !== undefined && after.join("\n") !== all.join("\n"));
          const verdict = await verifyChanged(which, () => after ?? []);
          expect({ name, at, to, ok: verdict.ok }).toEqual({ name, at, to, ok: false });
        }),
        { numRuns: runs(60) },
      );

    // The last line of the last file is the one that an anchor is for.
    await found("delete", (all, at) => (all === lines[1] && at === all.length - 1 ? undefined : all.toSpliced(at, 1)));
    await found("duplicate in place", (all, at) => all.toSpliced(at, 0, all[at] ?? ""));
    await found("move a copy", (all, at, to) => all.toSpliced(to, 0, all[at] ?? ""));
    await found("swap", (all, at, to) => all.with(at, all[to] ?? "").with(to, all[at] ?? ""));
    await found("insert a record", (all, at) => all.toSpliced(at, 0, '{"n":1}'));
    await found("insert of the other file", (all, at, to) =>
      all.toSpliced(to, 0, (all === lines[0] ? lines[1] : lines[0])?.[at % 8] ?? ""),
    );
  }, 120_000);

  it("is found with an anchor wherever the log is cut off, and without one at least where a later file names it", async () => {
    await fc.assert(
      fc.asyncProperty(file, place, async (which, at) => {
        const length = at % (lines[which]?.length ?? 1);
        const cut = (all: string[]) => all.slice(0, length);
        expect((await verifyChanged(which, cut, { anchor })).ok).toBe(false);
        if (which === 0) expect((await verifyChanged(which, cut)).ok).toBe(false);
      }),
      { numRuns: runs(60) },
    );
  }, 60_000);
});
