import { afterAll, beforeAll, jest } from "@jest/globals";
import { createTable, postgresStateStore } from "@suite/store-postgres";
import pg from "pg";
import { healthy, type Postgres, startPostgres, withPostgres } from "../../postgres.js";
import { describeLimitsOverProcesses } from "./limits-over-processes.js";

jest.setTimeout(120_000);

withPostgres("processes that share a PostgreSQL", () => {
  let server: Postgres;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = startPostgres();
    pool = new pg.Pool({ host: server.host, user: server.user, database: "postgres" });
    pool.on("error", () => {});
    await pool.query(createTable());
  });
  afterAll(async () => {
    server.stop(); // first: a connection that a failed test has kept would be waited for
    await pool.end();
  });

  describeLimitsOverProcesses("PostgreSQL", () => ({
    address: { postgres: { host: server.host, user: server.user, database: "postgres" } },
    store: postgresStateStore(pool),
    kill: () => server.kill(),
    async restart() {
      server.restart();
      await healthy(pool);
    },
  }));
});
