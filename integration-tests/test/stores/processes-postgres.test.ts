import { jest } from "@jest/globals";
import { postgresStateStore } from "@suite/store-postgres";
import { timeFor } from "../../../scripts/runs.mjs";
import { healthy, withPostgres } from "../../postgres.js";
import { describeApprovalsOverProcesses } from "./approvals-over-processes.js";
import { describeLimitsOverProcesses } from "./limits-over-processes.js";
import { postgresForTests } from "./postgres-for-tests.js";
import { describeTokensOverProcesses } from "./tokens-over-processes.js";
import { describeUndoOverProcesses } from "./undo-over-processes.js";

jest.setTimeout(timeFor(120_000));

withPostgres("processes that share a PostgreSQL", () => {
  const postgres = postgresForTests();

  const open = () => ({
    address: { postgres: { host: postgres.server.host, user: postgres.server.user, database: "postgres" } },
    store: postgresStateStore(postgres.pool),
    kill: () => postgres.server.kill(),
    async restart() {
      postgres.server.restart();
      await healthy(postgres.pool);
    },
  });
  describeLimitsOverProcesses("PostgreSQL", open);
  describeApprovalsOverProcesses("PostgreSQL", open);
  describeUndoOverProcesses("PostgreSQL", open);
  describeTokensOverProcesses("PostgreSQL", open);
});
