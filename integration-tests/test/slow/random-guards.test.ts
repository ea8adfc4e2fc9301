import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import fc from "fast-check";
import { runs, timeFor } from "../../../scripts/runs.mjs";
import { plans } from "../random-agent-plan.js";
import { GuardedAgents } from "../random-guarded-agents.js";
import { Book, guards } from "../random-guards.js";

jest.setTimeout(timeFor(600_000));

/** The timers that were set and have neither run nor been cleared, with where they were set. */
const timers = new Map<unknown, string>();
const { setTimeout: set, clearTimeout: clear } = globalThis;
beforeEach(() => {
  globalThis.setTimeout = ((work: (...given: unknown[]) => void, ...rest: [number?, ...unknown[]]) => {
    const timer = set(
      (...given: unknown[]) => {
        timers.delete(timer);
        work(...given);
      },
      ...rest,
    );
    timers.set(timer, new Error().stack ?? "");
    return timer;
  }) as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    timers.delete(timer);
    clear(timer);
  };
});
afterEach(() => {
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
});

const names = [
  "add",
  "fail",
  "refund",
  "refund",
  "pay",
  "pay",
  "count",
  "ship",
  "ask_person",
  "ask",
  "helper",
  "hang",
  "nope",
];
const rounds = fc.array(
  fc.record({
    calls: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
    fault: fc.oneof(
      { weight: 8, arbitrary: fc.constant("none") },
      { weight: 2, arbitrary: fc.constantFrom("refuses", "breaks", "hangs") },
    ),
  }),
  { minLength: 2, maxLength: 12 },
);
const rarely = fc.oneof({ weight: 8, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, fc.nat(8));
const decisions = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3)), {
  minLength: 4,
  maxLength: 4,
});
const turns = fc.array(fc.record({ stream: fc.boolean(), stops: rarely, aborts: rarely, decisions }), {
  minLength: 2,
  maxLength: 6,
});
/** As the plans of agents in general, with more that guards have to do with. */
const guarded = fc
  .record({ plan: plans, rounds, helperRounds: rounds, turns })
  .map(({ plan, ...more }) => ({ ...plan, ...more }));
const lists = fc.shuffledSubarray(Object.keys(guards), { minLength: 2 });

it("holds every limit and budget, uses no decision twice, settles each stage once and leaves no timer, in any order", async () => {
  const totals = { refunds: 0, stages: 0 };
  const acted = new Set<string>();
  await fc.assert(
    fc.asyncProperty(guarded, lists, async (plan, names) => {
      const book = new Book();
      const agents = new GuardedAgents(plan, names, book);
      await agents.play();
      // What a layer has given up ends by itself, soon after.
      const waits = async (open: () => number): Promise<void> => {
        for (let turn = 0; turn < 400 && open() > 0; turn++) await new Promise((resolve) => set(resolve, 5));
      };
      await waits(() => agents.open);
      expect(agents.open).toBe(0);
      await agents.release();
      await waits(() => timers.size + book.broken.length);
      expect(book.broken).toEqual([]);
      expect([...timers.values()]).toEqual([]);
      totals.refunds += book.total("refunds");
      totals.stages += book.stages.length;
      for (const name of book.acted) acted.add(name);
    }),
    { numRuns: runs(300) },
  );
  // Nearly each of them had something to decide.
  expect(acted.size).toBeGreaterThan(8);
  expect(totals.refunds).toBeGreaterThan(0);
  expect(totals.stages).toBeGreaterThan(runs(300));
});
