import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { verify } from "@suite/audit";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { afterCrash, type Crash, type Fate, type Written, writtenLog } from "../../../audit/test/power-loss.js";
import { temporaryDirectory } from "../../../audit/test/support.js";
import { Collecting, followOnce } from "./collecting.js";

let dir = "";
let written: Written;

beforeAll(async () => {
  dir = await temporaryDirectory();
  written = await writtenLog(dir);
});

const fate = fc.constantFrom<Fate>("kept", "kept", "zero", "garbage");
const crash: fc.Arbitrary<Crash> = fc.record({
  at: fc.integer({ min: 1, max: 1_000_000 }),
  sectorBytes: fc.constantFrom(512, 4096),
  fates: fc.tuple(fate, fate, fate, fate, fate),
  cut: fc.option(fc.nat({ max: 1_000_000 }), { nil: undefined }),
  named: fc.boolean(),
});

describe("a log as a power failure left it", () => {
  it("is no damage to a follower where it is none to verify, and all that is proven is sent", async () => {
    await fc.assert(
      fc.asyncProperty(crash, async (state) => {
        const files = afterCrash(written, state);
        fc.pre(files.size > 0);
        const disk = await mkdtemp(join(dir, "disk-"));
        try {
          await copyFile(join(dir, "key.pub"), join(disk, "key.pub"));
          for (const [name, bytes] of files) await writeFile(join(disk, name), bytes);
          const target = new Collecting();
          const { failed, codes } = await followOnce(disk, target);
          const verdict = await verify(disk);
          if (verdict.ok) expect({ failed, codes }).toEqual({ failed: undefined, codes: [] });
          const sent = target.batches.flatMap(({ lines }) => lines).filter(({ kind }) => kind === "record");
          expect(sent).toHaveLength(verdict.size);
        } finally {
          await rm(disk, { recursive: true });
        }
      }),
      { numRuns: runs(40) },
    );
  }, 600_000);
});
