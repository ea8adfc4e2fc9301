import { jest } from "@jest/globals";
import { timeFor } from "../../../scripts/runs.mjs";
import { withRedis } from "../../redis.js";
import { describeApprovalsOverProcesses } from "./approvals-over-processes.js";
import { describeLimitsOverProcesses } from "./limits-over-processes.js";
import { redisForTests } from "./redis-for-tests.js";
import { describeTokensOverProcesses } from "./tokens-over-processes.js";
import { describeUndoOverProcesses } from "./undo-over-processes.js";

jest.setTimeout(timeFor(120_000));

withRedis("processes that share a Redis", () => {
  const redis = redisForTests();

  const open = () => ({
    address: { redis: redis.server.url },
    store: redis.store,
    kill: () => redis.server.kill(),
    restart: () => redis.server.restart(),
  });
  describeLimitsOverProcesses("Redis", open);
  describeApprovalsOverProcesses("Redis", open);
  describeUndoOverProcesses("Redis", open);
  describeTokensOverProcesses("Redis", open);
});
