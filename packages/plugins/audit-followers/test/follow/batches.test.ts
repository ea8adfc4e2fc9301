import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { backoff } from "../../src/follow/backoff.js";
import { Batches } from "../../src/follow/batches.js";
import type { FollowedLine, FollowerBatch } from "../../src/follow/target.js";

const sizes = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 50 }), isRecord: fc.boolean() }), {
  maxLength: 40,
});

describe("batches", () => {
  it("hold every line once and in order, within both limits, and end where their last line does", () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 10 }), (sizes, bytes, lines) => {
        const batches = new Batches("f", { bytes: 0, records: 0 }, { bytes, lines });
        let end = 0;
        let records = 0;
        const given = sizes.map(({ bytes, isRecord }): FollowedLine => {
          end += bytes;
          return isRecord
            ? { kind: "record", index: records++, text: `${end}`, end }
            : { kind: "checkpoint", index: records, text: JSON.stringify(`note ${end}`), end };
        });
        const found = [...given.map((line) => batches.add(line)), batches.take()].filter(
          (batch): batch is FollowerBatch => batch !== undefined,
        );
        expect(found.flatMap(({ lines }) => lines)).toEqual(given);
        let from = 0;
        for (const batch of found) {
          const seen = given.filter((line) => line.end <= batch.end.bytes);
          const checkpoint = seen.findLast(({ kind }) => kind === "checkpoint");
          expect(batch.lines.length).toBeLessThanOrEqual(lines);
          if (batch.lines.length > 1) expect(batch.end.bytes - from).toBeLessThanOrEqual(bytes);
          expect(batch.end).toEqual({
            bytes: batch.lines.at(-1)?.end,
            records: seen.filter(({ kind }) => kind === "record").length,
            ...(checkpoint && { checkpoint: `note ${checkpoint.end}` }),
          });
          from = batch.end.bytes;
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("the pause after failures", () => {
  it("grows from a tenth of a second to half a minute, and is never the same for all", () => {
    expect([1, 2, 3, 100].map((failures) => backoff(failures, () => 0))).toEqual([100, 200, 400, 15_000]);
    expect([1, 2, 3, 100].map((failures) => backoff(failures, () => 1))).toEqual([200, 400, 800, 30_000]);
  });
});
