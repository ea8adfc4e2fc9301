import { afterAll, beforeAll, jest } from "@jest/globals";
import { type RedisStateStore, redisStateStore } from "@suite/store-redis";
import { type Redis, startRedis, withRedis } from "../../redis.js";
import { describeLimitsOverProcesses } from "./limits-over-processes.js";

jest.setTimeout(120_000);

withRedis("processes that share a Redis", () => {
  let server: Redis;
  let store: RedisStateStore;
  beforeAll(async () => {
    server = await startRedis();
    store = redisStateStore({ url: server.url });
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  describeLimitsOverProcesses("Redis", () => ({
    address: { redis: server.url },
    store,
    kill: () => server.kill(),
    restart: () => server.restart(),
  }));
});
