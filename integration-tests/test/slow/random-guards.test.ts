import { expect, it, jest } from "@jest/globals";
import fc from "fast-check";
import { runs, timeFor } from "../../../scripts/runs.mjs";
import { OpenTimers } from "../open-timers.js";
import { GuardedAgents } from "../random-guarded-agents.js";
import { guardedPlans } from "../random-guarded-plan.js";
import { Book, guardsOf } from "../random-guards.js";

jest.setTimeout(timeFor(600_000));

const timers = new OpenTimers();
const lists = fc.shuffledSubarray(Object.keys(guardsOf(1)), { minLength: 2 });

it("holds every limit and budget, uses no decision twice, settles each stage once and leaves no timer, in any order", async () => {
  const totals = { refunds: 0, stages: 0 };
  const acted = new Set<string>();
  await fc.assert(
    fc.asyncProperty(guardedPlans(), lists, async (plan, names) => {
      const book = new Book();
      const agents = new GuardedAgents(plan, names, book);
      await agents.play();
      // What a layer has given up ends by itself, soon after.
      await timers.waitWhile(() => agents.open > 0);
      expect(agents.open).toBe(0);
      await agents.release();
      await timers.waitWhile(() => timers.all.length + book.broken.length > 0);
      expect(book.broken).toEqual([]);
      expect(timers.all).toEqual([]);
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
