import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { StateStore } from "@suite/core";
import { Crowd, crowdSize, type Job, type Made, type Seen } from "./crowd.js";

/** A server with a store on it, which many processes are to share. */
export interface SharedServer {
  /** The argument of each process: where the server is. */
  readonly address: Readonly<Record<string, unknown>>;
  /** A store on it, of this process. */
  readonly store: StateStore;
  kill(): void | Promise<void>;
  restart(): void | Promise<void>;
}

const long = crowdSize > 8;
/** One token costs a thousand nano-units, in which a store counts. */
const nano = 1000;
/** The milliseconds by which two readings of clocks may be wrong. */
const clockStep = 5;
const budgetKey = "budget:1:t:";
const tokensOf = (calls: readonly Made[]): number => calls.reduce((sum, { tokens }) => sum + tokens, 0);
const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** Holds the limits of many processes that share one server. */
export function describeLimitsOverProcesses(name: string, open: () => SharedServer): void {
  describe(`limits of ${crowdSize} processes on one ${name}`, () => {
    let server: SharedServer;
    let crowd: Crowd;
    beforeAll(async () => {
      server = open();
      crowd = await Crowd.start({ ...server.address, timeout: 10_000 });
    }, 120_000);
    afterAll(() => crowd.end());

    const total = async (key: string): Promise<number> => (await server.store.add(key, 0)).total;
    /** Kills the server when so much is counted under the key, and starts it again. */
    async function outageAt(key: string, counted: number): Promise<void> {
      await until(async () => (await total(key)) >= counted);
      await server.kill();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await server.restart();
    }
    const report = (what: string, { calls, refused, failed, open, codes }: Seen, start: number) => {
      if (!long) return;
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.info(
        `${name}, ${crowdSize} processes, ${what}: ${calls.length} calls, ${refused} refused, ${failed} failed ${JSON.stringify(codes)}, ${open} let pass, ${seconds} s`,
      );
    };
    async function run(what: string, job: Job): Promise<Seen> {
      const start = performance.now();
      const seen = await crowd.run(job);
      report(what, seen, start);
      return seen;
    }

    const limit = 40 * crowdSize + 7;
    it.each(["modelCallLimit", "toolCallLimit"] as const)(
      "%s lets as many calls pass as it says, and no more",
      async (kind) => {
        const options = {
          threadLimit: limit,
          name: kind,
          ...(kind === "toolCallLimit" && { exitBehavior: "continue" }),
        };
        const seen = await run(kind, { limit: kind, options, loops: 4 });
        expect({ calls: seen.calls.length, failed: seen.failed }).toEqual({ calls: limit, failed: 0 });
        expect(await total(`${kind}:thread`)).toBe(limit);
      },
    );

    it("rateLimit lets the configured number of calls pass in each window, and waiting calls follow in the next", async () => {
      const window = 500;
      const [calls, each] = [5 * crowdSize, 15];
      const options = { calls, window, name: "rate", maxWait: 60_000 };
      const seen = await run("rateLimit", { limit: "rateLimit", options, loops: each, calls: 1 });
      expect({ calls: seen.calls.length, failed: seen.failed }).toEqual({ calls: each * crowdSize, failed: 0 });
      // A window begins with its first call: so many calls need so many windows, and so much time.
      const windows = (each * crowdSize) / calls;
      const took = Math.max(...seen.calls.map(({ at }) => at)) - Math.min(...seen.calls.map(({ made }) => made));
      expect(took).toBeGreaterThanOrEqual((windows - 1) * window - clockStep);
      // As long as a window, at any time: the end of one and the beginning of the next.
      for (const { at: from } of seen.calls) {
        const within = seen.calls.filter(({ made, at }) => made >= from && at < from + window);
        expect(within.length).toBeLessThanOrEqual(2 * calls);
      }
    });

    it("rateLimit refuses what is beyond a window", async () => {
      const day = 24 * 60 * 60 * 1000;
      const calls = 20 * crowdSize + 3;
      const options = { calls, window: day, name: "refusing", whenExceeded: "refuse" };
      const seen = await run("rateLimit that refuses", { limit: "rateLimit", options, loops: 4 });
      expect(seen.failed).toBe(0);
      expect(seen.calls).toHaveLength(calls);
    });

    describe("costBudget", () => {
      const tokens = 3000 * crowdSize;
      const options = { budget: (tokens * nano) / 1e9 };
      afterEach(async () => {
        await server.store.delete(budgetKey);
      });

      it("is never overspent, and holds in the end what was spent", async () => {
        const seen = await run("costBudget", { limit: "costBudget", options, loops: 4, pause: 3 });
        expect(seen.failed).toBe(0);
        expect(tokensOf(seen.calls)).toBeLessThanOrEqual(tokens);
        expect(tokensOf(seen.calls)).toBeGreaterThan(tokens / 2);
        expect(await total(budgetKey)).toBe(tokensOf(seen.calls) * nano);
      });

      it("is not overspent where the server is killed and started again", async () => {
        const outage = outageAt(budgetKey, (tokens * nano) / 4);
        const seen = await run("costBudget over an outage", { limit: "costBudget", options, loops: 4, pause: 3 });
        await outage;
        const spent = tokensOf(seen.calls) * nano;
        expect(spent).toBeGreaterThan((tokens * nano) / 4);
        expect(spent).toBeLessThanOrEqual(tokens * nano);
        // Too much may be counted, of answers that were lost; never too little.
        expect(await total(budgetKey)).toBeGreaterThanOrEqual(spent);
        expect(await total(budgetKey)).toBeLessThanOrEqual(tokens * nano);
      });
    });

    it("modelCallLimit, closed, makes no call uncounted where the server is killed and started again", async () => {
      const many = 150 * crowdSize;
      const options = { threadLimit: many, name: "closed" };
      const outage = outageAt("closed:thread", many / 4);
      const seen = await run("modelCallLimit over an outage", { limit: "modelCallLimit", options, loops: 4 });
      await outage;
      expect(seen.calls.length).toBeGreaterThan(many / 4);
      // All that was counted was made, or failed with an answer lost; and nothing was counted twice.
      expect(await total("closed:thread")).toBe(many);
      expect(seen.calls.length).toBeLessThanOrEqual(many);
      expect(seen.calls.length + seen.failed).toBeGreaterThanOrEqual(many);
      expect(seen.open).toBe(0);
    });

    it("modelCallLimit, open, makes as many more as it tells that it lets pass", async () => {
      const many = 150 * crowdSize;
      const options = { threadLimit: many, name: "open", onStoreError: "open" };
      const outage = outageAt("open:thread", many / 4);
      const seen = await run("modelCallLimit, open, over an outage", { limit: "modelCallLimit", options, loops: 4 });
      await outage;
      expect(seen.failed).toBe(0);
      expect(await total("open:thread")).toBe(many);
      expect(seen.calls.length).toBeLessThanOrEqual(many + seen.open);
      expect(seen.calls.length).toBeGreaterThanOrEqual(many);
    });

    // The last: it leaves half of them.
    it("costBudget is not overspent where processes are killed in the middle of calls", async () => {
      const tokens = 3000 * crowdSize;
      const options = { budget: (tokens * nano) / 1e9 };
      const running = run("costBudget, half of the processes killed", {
        limit: "costBudget",
        options,
        loops: 4,
        pause: 3,
      });
      await until(async () => (await total(budgetKey)) > (tokens * nano) / 4);
      crowd.kill(crowdSize / 2);
      const spent = tokensOf((await running).calls) * nano;
      expect(spent).toBeLessThanOrEqual(tokens * nano);
      // The reservations of those that were killed stay: 110 tokens for each loop at most.
      expect(await total(budgetKey)).toBeLessThanOrEqual(tokens * nano);
      expect(await total(budgetKey)).toBeGreaterThanOrEqual(spent);
    });
  });
}
