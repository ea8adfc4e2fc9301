import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { type Plugin, type StateStore, textOf, type Usage } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import { costBudget, LimitsError } from "@suite/limits";
import fc from "fast-check";
import { costOf, mostInputTokens, worstCost } from "../src/prices.js";
import { Rig, reply, request } from "./support.js";

// One unit of currency is a million tokens: a budget of 0.000_100 pays for a hundred.
const price = { input: 1, output: 1, maxOutputTokens: 40 };
const prices = { any: price };
const used = (inputTokens: number, outputTokens: number): Usage => ({ inputTokens, outputTokens });
/** A usage as a server may send it. */
const wrong = (usage: object) => usage as Usage;
const countTokens = () => 10; // the worst case of each call is 50 tokens
const tokens = (count: number) => count / 1_000_000;
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "passed",
    (error) => (LimitsError.is(error) ? error.code : error),
  );

/** The count of a store under the one key that a test uses. */
const spent = async (store: StateStore, key: string): Promise<number> => (await store.add(key, 0)).total / 1000;

afterEach(() => void jest.useRealTimers());

describe("a budget", () => {
  it("reserves the most that a call may cost, and gives back what it did not use", async () => {
    const store = memoryStateStore();
    const rig = new Rig([
      costBudget({ budget: tokens(100), prices, countTokens, store, tenant: () => "t", name: "b" }),
    ]);
    const all = [];
    for (let each = 0; each < 6; each++) all.push(await code(rig.model(reply("said", used(10, 5)))));
    // 15 each: the fifth would have begun at 60, and might have come to 110.
    expect(rig.asked).toHaveLength(4);
    expect(await spent(store, "b:1:t:")).toBe(60);
    expect(await rig.says()).toBe("The cost budget does not allow for another model call.");
  });

  it.each([
    [undefined, "2026-11-27T23:59:59Z", "2026-11-28T00:00:00Z"],
    ["Asia/Tokyo", "2026-11-28T14:59:59Z", "2026-11-28T15:00:00Z"],
    ["America/New_York", "2026-11-02T04:59:59Z", "2026-11-02T05:00:00Z"], // the day has 25 hours
    ["America/New_York", "2026-03-09T03:59:59Z", "2026-03-09T04:00:00Z"], // the day has 23 hours
  ])("of a day ends at midnight in %s", async (timeZone, last, first) => {
    jest.useFakeTimers({ now: new Date(last), doNotFake: ["nextTick", "setImmediate"] });
    const store = memoryStateStore();
    const options = { budget: tokens(50), prices, countTokens, per: "day", exitBehavior: "error", store } as const;
    const zone = timeZone === undefined ? {} : { timeZone };
    const budget = costBudget({ ...options, ...zone, tenant: ({ userId }) => userId });
    const ask = () => code(new Rig([budget], { userId: "ada" }).model());
    const hours = (count: number) => jest.setSystemTime(Date.parse(last) - count * 60 * 60 * 1000);
    hours(22);
    expect(await ask()).toBe("passed");
    hours(0);
    expect(await ask()).toBe("ERR_LIMITS_COST");
    jest.setSystemTime(new Date(first));
    expect(await ask()).toBe("passed");
    await budget.forgetUser?.("ada");
    expect(await ask()).toBe("passed");
    hours(0);
    expect(await ask()).toBe("passed");
  });

  it("of a day refuses a time zone that does not exist", () => {
    expect(() => costBudget({ budget: 1, prices, per: "day", timeZone: "Europe/Atlantis" })).toThrow(
      expect.objectContaining({ code: "ERR_LIMITS_OPTION", message: expect.stringContaining("timeZone") }),
    );
  });

  it("gives no credit for a call during which its user was forgotten", async () => {
    const store = memoryStateStore();
    const budget = costBudget({
      budget: tokens(100),
      prices,
      countTokens,
      store,
      tenant: ({ userId }) => userId,
      name: "b",
    });
    const forgetting: Plugin = {
      name: "forgetting",
      async model(_, callNext) {
        await callNext();
        await budget.forgetUser?.("ada");
      },
    };
    await new Rig([budget, forgetting], { userId: "ada" }).model(reply("said", used(10, 5)));
    expect(await spent(store, "b:3:ada:")).toBe(0);
  });

  it("fails where it is to", async () => {
    const rig = new Rig([costBudget({ budget: tokens(10), prices, countTokens, exitBehavior: "error" })]);
    expect(await code(rig.model())).toBe("ERR_LIMITS_COST");
    expect(rig.told).toEqual([expect.objectContaining({ type: "limit", limit: "cost.run", enforced: true })]);
  });

  it.each([
    ["failed before its answer began", new Error("503"), 0],
    ["does not say what it used", reply("said"), 50],
    ["says zeros", reply("said", used(0, 0)), 50],
    ["says nulls", reply("said", wrong({ inputTokens: null, outputTokens: null })), 50],
    ["says strings", reply("said", wrong({ inputTokens: "3", outputTokens: "4" })), 50],
    ["says a negative number", reply("said", used(-1000, 5)), 50],
    ["says negative cached tokens", reply("said", { ...used(10, 5), cacheReadInputTokens: -1000 }), 50],
    ["says NaN", reply("said", used(Number.NaN, 5)), 50],
    ["says no output", reply("said", used(10, 0)), 10],
  ])("counts a call that %s", async (_, answer, counted) => {
    const store = memoryStateStore();
    const rig = new Rig([
      costBudget({ budget: tokens(100), prices, countTokens, store, tenant: () => "t", name: "b" }),
    ]);
    await rig.model(answer).catch(() => undefined);
    expect(await spent(store, "b:1:t:")).toBe(counted);
  });

  it("keeps the reservation of an answer that broke off", async () => {
    const store = memoryStateStore();
    const rig = new Rig([
      costBudget({ budget: tokens(100), prices, countTokens, store, tenant: () => "t", name: "b" }),
    ]);
    const run = rig.stack.begin();
    const outcome = await rig.stack.call("model", run, request, async (invocation) => {
      invocation.respond({
        stream: (async function* () {
          yield { type: "part" as const, at: "0", part: { type: "text" as const, content: "Hel" } };
          throw new Error("broke off");
        })(),
      });
    });
    await expect(outcome.final()).rejects.toThrow("broke off");
    expect(await spent(store, "b:1:t:")).toBe(50);
  });

  it("counts the price of the model that was asked in the end", async () => {
    const store = memoryStateStore();
    const cheaper = {
      name: "cheaper",
      async model(invocation: { request: typeof request }, callNext: () => Promise<void>) {
        invocation.request = { ...invocation.request, model: "cheap" };
        await callNext();
      },
    };
    const both = { ...prices, cheap: { ...price, input: 0.5, output: 0.5 } };
    const options = { budget: tokens(100), prices: both, countTokens, store, tenant: () => "t", name: "b" };
    await new Rig([costBudget(options), cheaper]).model(reply("said", used(10, 10)));
    expect(await spent(store, "b:1:t:")).toBe(10);
  });

  it("costs nothing where a layer further in answers, as a cache does", async () => {
    const store = memoryStateStore();
    const cache = {
      name: "cache",
      async model(invocation: { respond(answer: { value: ReturnType<typeof reply> }): void }) {
        invocation.respond({ value: reply("cached", used(10, 5)) });
      },
    };
    const budget = costBudget({ budget: tokens(60), prices, countTokens, store, tenant: () => "t", name: "b" });
    const rig = new Rig([budget, cache]);
    for (let each = 0; each < 5; each++) expect(await rig.says()).toBe("cached");
    expect(await spent(store, "b:1:t:")).toBe(0);
  });

  it("of a run goes on after a suspension, and is forgotten when the run ends", async () => {
    const store = memoryStateStore();
    const plugin = () => costBudget({ budget: tokens(60), prices, countTokens, store });
    const first = new Rig([plugin()]);
    expect(await first.says(reply("said", used(10, 5)))).toBe("said");
    const waits = await first.stack.call("agent", first.run, { messages: [] }, async (invocation) =>
      invocation.respond({ suspended: [] }),
    );
    for await (const _ of waits) expect(_).toBeUndefined();
    await first.run.end();
    const resumed = new Rig([plugin()], { runId: first.run.runId });
    expect(await resumed.says(reply("said", used(10, 5)))).toBe(
      "The cost budget does not allow for another model call.",
    );
    await resumed.run.end();
    expect(await new Rig([plugin()], { runId: first.run.runId }).says()).toBe("said");
  });

  it("is each run's, each conversation's or each day's", async () => {
    const store = memoryStateStore();
    const ask = async (per: "run" | "session" | "day", sessionId: string) => {
      const rig = new Rig([costBudget({ budget: tokens(50), prices, countTokens, per, store })], { sessionId });
      const answer = await rig.says(reply("said", used(10, 5)));
      await rig.run.end();
      return answer === "said";
    };
    expect([await ask("run", "a"), await ask("run", "a")]).toEqual([true, true]);
    expect([await ask("session", "a"), await ask("session", "b"), await ask("session", "a")]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await ask("day", "a"), await ask("day", "b")]).toEqual([true, false]);
  });

  it("refuses a model without a price, and lets it pass in monitor mode", async () => {
    const unknown = { model: "unknown" };
    expect(await code(new Rig([costBudget({ budget: 1, prices })]).model(undefined, unknown))).toBe(
      "ERR_LIMITS_NO_PRICE",
    );
    expect(await code(new Rig([costBudget({ budget: 1, prices, mode: "monitor" })]).model(undefined, unknown))).toBe(
      "passed",
    );
    expect(await code(new Rig([costBudget({ budget: 1, prices })]).model(undefined, { model: "toString" }))).toBe(
      "ERR_LIMITS_NO_PRICE",
    );
  });

  it("fails closed with the store's own error, or open, and says so", async () => {
    const store = { ...memoryStateStore(), add: () => Promise.reject(new Error("down")) };
    await expect(new Rig([costBudget({ budget: 1, prices, store })]).model()).rejects.toThrow("down");
    const open = new Rig([costBudget({ budget: 1, prices, store, onStoreError: "open" })]);
    await open.model();
    expect(open.told).toEqual([expect.objectContaining({ decision: "fail_open" })]);
  });

  it.each([
    ["an answer", reply("said", used(10, 5)), "said"],
    ["an error", new Error("503"), "503"],
  ])(
    "keeps the reserved amount if the store fails at the end of a call, reports it, and leaves %s unchanged",
    async (_, answer, expected) => {
      const kept = memoryStateStore();
      let down = false;
      const store = {
        ...kept,
        add: (...args: Parameters<typeof kept.add>) => (down ? Promise.reject(new Error("down")) : kept.add(...args)),
      };
      const goesDown = {
        name: "goes-down",
        async model(_: unknown, callNext: () => Promise<void>) {
          down = true;
          await callNext();
        },
      };
      const budget = costBudget({ budget: tokens(100), prices, countTokens, store, tenant: () => "t", name: "b" });
      const rig = new Rig([budget, goesDown]);
      const ended = await rig.model(answer).then(
        ({ message }) => textOf(message),
        (error: Error) => error.message,
      );
      expect(ended).toBe(expected);
      expect(rig.told).toEqual([expect.objectContaining({ decision: "reservation_kept" })]);
      expect(await spent(kept, "b:1:t:")).toBe(50);
    },
  );

  it("is never overspent, however many calls are made at once", async () => {
    const call = fc.record({ input: fc.nat(10), output: fc.nat(40), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 500 }),
        async (calls, most) => {
          const store = memoryStateStore();
          const options = { budget: tokens(most), prices, countTokens, store, tenant: () => "t", name: "b" };
          const rigs = [1, 2, 3].map(() => new Rig([costBudget(options)]));
          let paid = 0;
          await Promise.all(
            calls.map(async ({ input, output, fails }, index) => {
              const rig = rigs[index % rigs.length] as Rig;
              const answer = reply("said", used(input, output));
              const final = await rig.model(fails ? new Error("503") : answer).catch(() => undefined);
              // Zeros alone say nothing: the reservation is paid for.
              if (final === answer) paid += input + output || 50;
            }),
          );
          expect(paid).toBeLessThanOrEqual(most);
          expect(await spent(store, "b:1:t:")).toBe(paid);
        },
      ),
    );
  });
});

describe("the cost of a request", () => {
  it("is never more than was reserved for it", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(40), (content, share, output) => {
        const most = mostInputTokens({ ...request, messages: [{ role: "user", parts: [{ type: "text", content }] }] });
        expect(most).toBeGreaterThanOrEqual(new TextEncoder().encode(content).length);
        const usage = { ...used(most, output), cacheReadInputTokens: Math.floor(most * share) };
        const dear = { ...price, cacheRead: 0.1, cacheCreation: 2 };
        expect(costOf(usage, dear) ?? 0).toBeLessThanOrEqual(worstCost(request, dear, most));
      }),
    );
  });

  it("is reserved at the dearest price of its input", () => {
    const dear = { ...price, cacheRead: 0.1, cacheCreation: 2 };
    expect(worstCost(request, dear, 10)).toBe((10 * 2 + 40) * 1000);
    expect(worstCost({ ...request, settings: { maxTokens: 1_000_000 } }, price, 10)).toBe((10 + 40) * 1000);
    expect(worstCost({ ...request, settings: { maxTokens: 5 } }, price, 10)).toBe((10 + 5) * 1000);
  });

  it("prices cached tokens, and tokens written to the cache, separately", () => {
    const usage = { ...used(100, 10), cacheReadInputTokens: 50, cacheCreationInputTokens: 20 };
    const dear = { ...price, input: 10, output: 20, cacheRead: 1, cacheCreation: 12 };
    expect(costOf(usage, dear)).toBe((30 * 10 + 50 * 1 + 20 * 12 + 10 * 20) * 1000);
  });
});

it.each([
  [{ budget: -1, prices }, /at least 0/],
  [{ budget: Number.NaN, prices }, /at least 0/],
  [{ budget: 1 }, /needs prices/],
  [{ prices }, /nine million/],
  [{ budget: 1, prices: { any: { input: 1, output: 1 } } }, /prices by model/],
  [{ budget: 1, prices, per: "week" }, /"run", "session" or "day"/],
])("an option that means nothing is refused when the budget is made: %p", (options, why) => {
  expect(() => costBudget(options as never)).toThrow(why);
});
