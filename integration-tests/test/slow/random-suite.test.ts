import { expect, it, jest } from "@jest/globals";
import fc from "fast-check";
import { runs, timeFor } from "../../../scripts/runs.mjs";
import { OpenTimers } from "../open-timers.js";
import { Canaries, forbidden, worldOf } from "../random-canaries.js";
import { GuardedAgents } from "../random-guarded-agents.js";
import { guardedPlans } from "../random-guarded-plan.js";
import { Book } from "../random-guards.js";
import { keepsIn, suiteOf } from "../random-suite.js";

jest.setTimeout(timeFor(600_000));

const timers = new OpenTimers();
const names = Object.keys(suiteOf(new Canaries(new Book())));
const more = [
  "look_up",
  "look_up",
  "browse",
  "throw",
  "read",
  forbidden.tool,
  "write_todos",
  "search_tools",
  "search_memory",
  "add_memory",
  "grep",
  "shell",
  "sign",
  "mcp_book",
];
/** All plugins, or some of them, in any order. */
const all = fc.shuffledSubarray(names, { minLength: names.length });
const some = fc.shuffledSubarray(names).filter((list) => list.includes(keepsIn));
const lists = fc.oneof(all, { weight: 2, arbitrary: some });

it("keeps canaries of ten kinds in, and all limits and guards, with all plugins of the suite at once, in any order", async () => {
  const acted = new Set<string>();
  const looked = new Set<string>();
  await fc.assert(
    fc.asyncProperty(guardedPlans(more), lists, async (plan, list) => {
      const book = new Book();
      const canaries = new Canaries(book);
      const agents = new GuardedAgents(plan, list, book, worldOf(canaries, list, suiteOf(canaries)));
      await agents.play();
      await timers.waitWhile(() => agents.open > 0);
      expect(agents.open).toBe(0);
      await agents.release();
      await timers.waitWhile(() => timers.all.length + book.broken.length > 0);
      expect([...new Set(book.broken)]).toEqual([]);
      expect(timers.all).toEqual([]);
      for (const name of book.acted) acted.add(name);
      for (const where of canaries.looked.keys()) looked.add(where);
    }),
    { numRuns: runs(100) },
  );
  expect(acted.size).toBeGreaterThan(14);
  const places = [
    "a request",
    "a request summarize",
    "a span",
    "a record",
    "a line of the log",
    "the plan",
    "a piece",
    "what a memory keeps",
  ];
  expect([...looked]).toEqual(expect.arrayContaining(places));
});
