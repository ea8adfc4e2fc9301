import { afterAll, beforeAll } from "@jest/globals";
import { createTable } from "@suite/store-postgres";
import pg from "pg";
import { type Postgres, startPostgres } from "../../postgres.js";

/** A server with the table of stores, and a pool of connections to it, for the tests of one `describe`. */
export function postgresForTests(): { readonly server: Postgres; readonly pool: pg.Pool } {
  const open = {} as { server: Postgres; pool: pg.Pool };
  beforeAll(async () => {
    open.server = startPostgres();
    open.pool = new pg.Pool({ host: open.server.host, user: open.server.user, database: "postgres" });
    open.pool.on("error", () => {});
    await open.pool.query(createTable());
  });
  afterAll(async () => {
    open.server.stop(); // first: a connection that a failed test has kept would be waited for
    await open.pool.end();
  });
  return open;
}
