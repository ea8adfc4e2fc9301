import { afterAll, beforeAll, jest } from "@jest/globals";
import { type RedisStateStore, redisStateStore } from "@suite/store-redis";
import { timeFor } from "../../../scripts/runs.mjs";
import { type Redis, startRedis, withRedis } from "../../redis.js";
import { describeApprovalsOverProcesses } from "./approvals-over-processes.js";
import { describeLimitsOverProcesses } from "./limits-over-processes.js";
import { describeUndoOverProcesses } from "./undo-over-processes.js";

jest.setTimeout(timeFor(120_000));

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

  const open = () => ({
    address: { redis: server.url },
    store,
    kill: () => server.kill(),
    restart: () => server.restart(),
  });
  describeLimitsOverProcesses("Redis", open);
  describeApprovalsOverProcesses("Redis", open);
  describeUndoOverProcesses("Redis", open);
});
