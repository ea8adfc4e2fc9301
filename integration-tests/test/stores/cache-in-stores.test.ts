import { expect, it } from "@jest/globals";
import type { Notification, StateStore } from "@suite/core";
import { cache } from "@suite/resilience";
import { postgresStateStore } from "@suite/store-postgres";
import { Rig, reply } from "../../../packages/plugins/resilience/test/support.js";
import { withPostgres } from "../../postgres.js";
import { withRedis } from "../../redis.js";
import { postgresForTests } from "./postgres-for-tests.js";
import { redisForTests } from "./redis-for-tests.js";

/** Asks once, in a run of its own, as another process does: with an instance of its own. */
async function ask(store: StateStore, said: string, ttl = 60_000): Promise<{ text: string; told: Notification[] }> {
  const rig = new Rig([cache({ tenant: "everyone", store, ttl })], [reply(said)]);
  const { pieces } = await rig.read();
  await rig.run.end();
  return { text: pieces.join(""), told: rig.told.filter(({ type }) => type === "decision") };
}

/** Holds the cache in one store. @param down ends the server, and says how to start it again. */
function describeCache(open: () => StateStore, down: () => Promise<() => Promise<void>>): void {
  it("returns one process's answer to another process until it expires", async () => {
    await ask(open(), "an onion", 2000);
    expect((await ask(open(), "never")).text).toBe("an onion");
    await new Promise((resolve) => setTimeout(resolve, 2100));
    expect((await ask(open(), "a leek")).text).toBe("a leek");
  });

  it("asks the model while the server is down, says so, and knows its answers again when it is back", async () => {
    await ask(open(), "a leek");
    const start = await down();
    const { text, told } = await ask(open(), "asked");
    expect(text).toBe("asked");
    expect(told).toContainEqual(expect.objectContaining({ decision: "fail_open", place: "store" }));
    await start();
    for (let tries = 0; tries < 50 && (await ask(open(), "asked")).text === "asked"; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await ask(open(), "never")).text).toBe("a leek");
  });
}

withRedis("a cache on a real Redis", () => {
  const redis = redisForTests({ timeout: 500 });
  describeCache(
    () => redis.store,
    async () => {
      await redis.server.kill();
      return () => redis.server.restart();
    },
  );
});

withPostgres("a cache on a real PostgreSQL", () => {
  const postgres = postgresForTests();
  describeCache(
    () => postgresStateStore(postgres.pool),
    async () => {
      postgres.server.kill();
      return async () => postgres.server.restart();
    },
  );
});
