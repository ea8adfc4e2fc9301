import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { openLog, type Verdict, verify } from "../../src/index.js";
import { tampering, verifyInMemory } from "../in-memory.js";
import { afterCrash, type Crash, type Fate, type Written, writtenLog } from "../power-loss.js";
import { temporaryDirectory } from "../support.js";

let dir = "";
let key = "";
let written: Written;

beforeAll(async () => {
  dir = await temporaryDirectory();
  written = await writtenLog(dir);
  key = await readFile(join(dir, "key.pub"), "utf8");
});

const verdictAfter = (crash: Crash): Promise<Verdict> => verifyInMemory(afterCrash(written, crash), key);

/** The number of acknowledged records of each file that has any. */
function acknowledged({ at }: Crash): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { file, records } of written.writes.slice(0, at % (written.writes.length + 1))) {
    sizes.set(file, (sizes.get(file) ?? 0) + records);
  }
  return sizes;
}

const fate = fc.constantFrom<Fate>("kept", "kept", "zero", "garbage", "stale");
const crash: fc.Arbitrary<Crash> = fc.record({
  // In the midst of the writing: before the first write there is no log.
  at: fc.integer({ min: 1, max: 1_000_000 }),
  sectorBytes: fc.constantFrom(512, 4096),
  fates: fc.tuple(fate, fate, fate, fate, fate),
  cut: fc.option(fc.nat({ max: 1_000_000 }), { nil: undefined }),
  named: fc.boolean(),
});
const hasFiles = (state: Crash) => fc.pre(afterCrash(written, state).size > 0);

function expectNothingLost(state: Crash, { files }: Verdict): void {
  for (const [file, size] of acknowledged(state)) {
    expect(files.find((found) => found.file === file)?.size ?? 0).toBeGreaterThanOrEqual(size);
  }
}

describe("after a power failure", () => {
  it("all that was acknowledged is proven, and nothing is called tampering, whatever became of the rest", async () => {
    await fc.assert(
      fc.asyncProperty(crash, async (state) => {
        hasFiles(state);
        const verdict = await verdictAfter(state);
        expect(tampering(verdict)).toEqual([]);
        expectNothingLost(state, verdict);
      }),
      { numRuns: runs(2500) },
    );
  }, 600_000);

  it("a write that was only cut is a tail without a doubt, whether the file ends there or goes on with zeros", async () => {
    const only = (fates: Crash["fates"]) => crash.map((state) => ({ ...state, fates }));
    const intact = only(["kept"]);
    const missing = only(["zero"]).map((state) => ({ ...state, cut: undefined }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(intact, missing), async (state) => {
        hasFiles(state);
        expect(await verdictAfter(state)).toMatchObject({ ok: true, problems: [] });
      }),
      { numRuns: runs(400) },
    );
  }, 600_000);

  it("the next process continues next to the remaining files, and the log is intact", async () => {
    await fc.assert(
      fc.asyncProperty(crash, async (state) => {
        hasFiles(state);
        const disk = await mkdtemp(join(dir, "disk-"));
        for (const name of ["id", "key", "key.pub"]) await copyFile(join(dir, name), join(disk, name));
        for (const [name, bytes] of afterCrash(written, state)) await writeFile(join(disk, name), bytes);
        const log = await openLog({ dir: disk });
        await log.append({ after: "power failure" });
        await log.close();
        const verdict = await verify(disk).finally(() => rm(disk, { recursive: true }));
        expect(tampering(verdict)).toEqual([]);
        expectNothingLost(state, verdict);
      }),
      { numRuns: runs(40) },
    );
  }, 600_000);
});
