import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { Turns } from "../src/turns.js";

const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

describe("turns", () => {
  it("of a queue that is never empty do not keep those before them", async () => {
    const turns = new Turns();
    let turn = turns.enter("a");
    const first = new WeakRef(turn);
    for (let entered = 0; entered < 3; entered++) {
      const next = turns.enter("a");
      const isUp = next.wait(1000, new AbortController().signal);
      turn.end();
      await isUp;
      turn = next;
    }
    await later(0);
    collect();
    expect(first.deref()).toBeUndefined();
    turn.end();
  });

  it("are held by one caller at a time, in order, whoever leaves the queue", async () => {
    const caller = fc.record({
      key: fc.constantFrom("a", "b"),
      holds: fc.nat(2),
      /** Some leave before it is their turn. */
      maxWait: fc.constantFrom(1, 1000),
      aborts: fc.option(fc.nat(3), { nil: undefined }),
      comes: fc.nat(3),
      asks: fc.boolean(),
      waits: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(caller, { maxLength: 12 }), async (callers) => {
        const turns = new Turns();
        const holding = new Map<string, number>();
        const came: number[] = [];
        const asked: number[] = [];
        await Promise.all(
          callers.map(async ({ key, holds, maxWait, aborts, comes, asks, waits }, index) => {
            await later(comes);
            const { signal } = aborts === undefined ? new AbortController() : { signal: AbortSignal.timeout(aborts) };
            asked.push(index);
            const turn = turns.enter(key);
            if (asks) await later(holds); // within the rate or not: that is known later, in any order
            const isUp = waits && (await Promise.resolve(turn.wait(maxWait, signal)).catch(() => false));
            if (!isUp) return turn.end();
            came.push(index);
            holding.set(key, (holding.get(key) ?? 0) + 1);
            expect(holding.get(key)).toBe(1);
            await later(holds);
            holding.set(key, 0);
            turn.end();
          }),
        );
        for (const key of ["a", "b"]) {
          const of = (list: readonly number[]) => list.filter((index) => callers[index]?.key === key);
          expect(of(came)).toEqual(of(asked).filter((index) => came.includes(index)));
        }
        expect([turns.waiting, turns.hasWaiting("a")]).toEqual([0, false]);
        await later(0);
        expect(turns.enter("a").wait(1, new AbortController().signal)).toBe(true); // no turn is left
      }),
      { numRuns: runs(50) },
    );
  });
});
