import { expect, it } from "@jest/globals";
import type { StateStore } from "@suite/core";
import { LimitsError, rateLimit } from "@suite/limits";
import { postgresStateStore } from "@suite/store-postgres";
import { Rig } from "../../../packages/plugins/limits/test/support.js";
import { withPostgres } from "../../postgres.js";
import { withRedis } from "../../redis.js";
import { postgresForTests } from "./postgres-for-tests.js";
import { redisForTests } from "./redis-for-tests.js";

/** Makes calls at once, each in one run, and counts how they ended. */
async function askAtOnce(rig: Rig, many: number): Promise<{ passed: number; refused: number }> {
  const all = await Promise.allSettled(Array.from({ length: many }, () => rig.model()));
  const failed = all.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  for (const error of failed) if (!LimitsError.is(error)) throw error;
  return { passed: many - failed.length, refused: failed.length };
}

/** Holds the rate of many callers in one store. */
function describeRate(open: () => StateStore): void {
  it.each([1, 64, 1001, 5000])(
    "lets %d callers at once pass that are within it, and refuses the next",
    async (many) => {
      const store = open();
      const waiting = new Rig([rateLimit({ name: `wait ${many}`, calls: many, maxWait: 1, store })]);
      expect(await askAtOnce(waiting, many)).toEqual({ passed: many, refused: 0 });
      expect(await askAtOnce(waiting, 1)).toEqual({ passed: 0, refused: 1 });
      const refusing = rateLimit({ name: `refuse ${many}`, calls: many, whenExceeded: "refuse", store });
      expect(await askAtOnce(new Rig([refusing]), many + 10)).toEqual({ passed: many, refused: 10 });
    },
    60_000,
  );

  it("lets those beyond it wait, in order", async () => {
    const rig = new Rig([rateLimit({ name: "order", calls: 3, window: 300, store: open() })]);
    const order: number[] = [];
    await Promise.all(Array.from({ length: 9 }, (_, each) => rig.model().then(() => void order.push(each))));
    // A pool of connections answers in any order: which three are within the rate is open.
    const waited = order.slice(3);
    expect(waited).toEqual([...waited].sort((one, other) => one - other));
  });
}

withRedis("a rate on a real Redis", () => {
  const redis = redisForTests({ timeout: 30_000 });
  describeRate(() => redis.store);
});

withPostgres("a rate on a real PostgreSQL", () => {
  const postgres = postgresForTests();
  describeRate(() => postgresStateStore(postgres.pool, { timeout: 30_000 }));
});
