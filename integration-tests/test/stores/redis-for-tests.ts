import { afterAll, beforeAll } from "@jest/globals";
import { type RedisStateStore, type RedisStoreOptions, redisStateStore } from "@suite/store-redis";
import { type Redis, startRedis } from "../../redis.js";

/** A server, and a store in it, for the tests of one `describe`. */
export function redisForTests(options: RedisStoreOptions = {}): {
  readonly server: Redis;
  readonly store: RedisStateStore;
} {
  const open = {} as { server: Redis; store: RedisStateStore };
  beforeAll(async () => {
    open.server = await startRedis();
    open.store = redisStateStore({ url: open.server.url }, options);
  });
  afterAll(async () => {
    await open.store.close();
    await open.server.stop();
  });
  return open;
}
