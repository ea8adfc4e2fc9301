import { describe, expect, it } from "@jest/globals";
import { type Log, openLog } from "@suite/audit";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { logFiles, temporaryDirectory } from "../../../audit/test/support.js";
import { Collecting, coveredLines, following, followOnce } from "./collecting.js";

/** Some records at once, or a follower that is gone during its n-th batch: before the batch was taken, or just after. */
const step = fc.oneof(
  fc.record({ write: fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 8 }), rotate: fc.boolean() }),
  fc.record({ goneAt: fc.nat({ max: 5 }), taken: fc.boolean(), batchBytes: fc.integer({ min: 1, max: 2000 }) }),
);

describe("followers one after the other, whatever ends each", () => {
  it("leave no gap in any file, and repeat the batch in which one ended, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const dir = await temporaryDirectory();
        const target = new Collecting();
        let log: Log = await openLog({ dir });
        /** Lines that were taken, while their follower never knew. */
        let unknown = 0;
        for (const now of steps) {
          if ("goneAt" in now) unknown += await goneDuring(dir, target, now);
          else {
            if (now.rotate) {
              await log.close();
              log = await openLog({ dir });
            }
            await Promise.all(now.write.map((length) => log.append({ text: "x".repeat(length) })));
          }
        }
        await log.close();
        expect(await followOnce(dir, target)).toEqual({ failed: undefined, codes: [] });
        let covered = 0;
        for (const name of await logFiles(dir)) {
          const lines = await coveredLines(dir, name);
          covered += lines.length;
          expect(withoutRepeats(target, name)).toEqual(lines);
        }
        expect(target.lines).toHaveLength(covered + unknown);
      }),
      { numRuns: runs(25) },
    );
  }, 600_000);
});

/** Gives how many lines were taken in the batch in which the follower ended. */
async function goneDuring(
  dir: string,
  target: Collecting,
  { goneAt, taken, batchBytes }: { goneAt: number; taken: boolean; batchBytes: number },
): Promise<number> {
  let batches = 0;
  let unknown = 0;
  const { follower } = following(dir, target, { batchBytes });
  const gone = new Promise<void>((resolve) => {
    target.before = (batch, signal) => {
      if (batches++ !== goneAt) return undefined;
      if (taken) {
        target.batches.push(batch);
        unknown = batch.lines.length;
      }
      resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
  });
  await Promise.race([gone, follower.caughtUp().catch(() => {})]);
  await follower.close();
  target.before = () => {};
  return unknown;
}

/** The lines of a file in the order they first came. */
function withoutRepeats(target: Collecting, name: string): string[] {
  let end = 0;
  const lines: string[] = [];
  for (const batch of target.batches.filter(({ file }) => file === name)) {
    lines.push(...batch.lines.filter((line) => line.end > end).map(({ text }) => text));
    end = Math.max(end, batch.end.bytes);
  }
  return lines;
}
