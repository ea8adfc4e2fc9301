import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { StateStore } from "@suite/core";
import { createTable, type PostgresStateStore, postgresStateStore } from "@suite/store-postgres";
import { describeStore, describeVault } from "@suite/testkit";
import pg from "pg";
import { healthy, type Postgres, startPostgres, withPostgres } from "../../postgres.js";
import { describeResumed } from "./resumed.js";
import { vaultOn } from "./vaults.js";

const ignore = () => {};
const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 10));

withPostgres("on a real PostgreSQL", () => {
  let server: Postgres;
  let pool: pg.Pool;
  const poolOf = (options: pg.PoolConfig = {}) => {
    const made = new pg.Pool({ host: server.host, user: server.user, database: "postgres", ...options });
    made.on("error", ignore);
    return made;
  };
  beforeAll(async () => {
    server = startPostgres();
    pool = poolOf();
    await pool.query(createTable());
  });
  afterAll(async () => {
    server.stop(); // first: a connection that a failed test has kept would be waited for
    await pool.end();
  });

  /** A subject each of whose stores has a pool of its own, as that of another process has. */
  const subject = (options: pg.PoolConfig = {}, table?: string) => {
    const pools = new Map<StateStore, pg.Pool>();
    return {
      async open() {
        const own = poolOf(options);
        if (table !== undefined) await own.query(createTable(table));
        const store = postgresStateStore(own, table === undefined ? {} : { table });
        pools.set(store, own);
        return store;
      },
      async close(store: StateStore) {
        await pools.get(store)?.end();
      },
    };
  };

  describeStore("postgresStateStore", subject(), { describe, it });
  describeStore(
    "postgresStateStore where transactions are serializable",
    subject({ options: "-c default_transaction_isolation=serializable" }),
    { describe, it },
  );
  describeVault("storeVault on postgresStateStore", vaultOn(subject()), { describe, it });
  describe("in a schema", () => {
    beforeAll(() => pool.query('CREATE SCHEMA "Agents"'));
    describeStore("postgresStateStore with a table of its own", subject({ max: 1 }, "Agents.state"), { describe, it });
  });

  describe("postgresStateStore", () => {
    let store: PostgresStateStore;
    beforeEach(async () => {
      await pool.query("TRUNCATE suite_state");
      store = postgresStateStore(pool);
    });
    const rows = async (): Promise<number> => (await pool.query("SELECT 1 FROM suite_state")).rows.length;

    describeResumed(() => postgresStateStore(pool));

    it("sends one statement for each operation, and needs nothing that a session keeps", async () => {
      const version = (await store.compareAndSet("v", undefined, 1)) ? (await store.get("v"))?.version : undefined;
      const acts: (() => Promise<unknown>)[] = [
        async () => store.get("v"),
        async () => store.compareAndSet("w", undefined, 1),
        async () => store.compareAndSet("v", version, 2),
        async () => store.compareAndSet("v", version, undefined),
        async () => store.add("c", 1, { maximum: 1, ttl: 1000 }),
        async () => store.claim("k"),
        async () => store.delete("k"),
      ];
      for (const act of acts) {
        const sent: unknown[] = [];
        const client = await pool.connect();
        const { query } = client;
        client.query = ((...args: Parameters<typeof query>) => {
          sent.push(args[0]);
          return query.apply(client, args);
        }) as typeof query;
        client.release();
        await act();
        client.query = query;
        // A text, which has no name: a proxy between them may give each statement to another server process.
        expect(sent).toEqual([expect.stringMatching(/^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)/)]);
      }
    });

    it("removes what has expired, so many at most, and nothing that lives", async () => {
      await pool.query(
        "INSERT INTO suite_state (key, total, expires_at) SELECT 'old' || n, 1, statement_timestamp() - interval '1 s' FROM generate_series(1, 2500) n",
      );
      await store.add("lives", 1, { ttl: 60_000 });
      await store.claim("for ever");
      expect(await store.removeExpired()).toBe(1000);
      expect(await rows()).toBe(1502);
      // There are more, and operations that give a ttl go on with it.
      for (let left = 1502; left > 2; left = await rows()) {
        await store.add("lives", 0, { ttl: 60_000 });
        await soon();
      }
      expect(await store.add("lives", 0)).toMatchObject({ added: true, total: 1 });
      expect(await store.claim("for ever")).toBe(false);
      expect(await store.removeExpired()).toBe(0);
    });

    it("goes by the server's clock", async () => {
      const real = Date.now;
      await store.claim("k", { ttl: 60_000 });
      await store.add("c", 1, { ttl: 60_000 });
      try {
        Date.now = () => real() + 365 * 24 * 60 * 60 * 1000;
        expect(await store.claim("k", { ttl: 60_000 })).toBe(false);
        expect((await store.add("c", 1, { ttl: 60_000 })).total).toBe(2);
        expect(await store.removeExpired()).toBe(0);
      } finally {
        Date.now = real;
      }
      const { rows: left } = await pool.query("SELECT expires_at - now() < interval '61 s' AS soon FROM suite_state");
      expect(left).toEqual([{ soon: true }, { soon: true }]);
    });

    it("waits for nobody who holds a row that has expired", async () => {
      await pool.query("INSERT INTO suite_state (key, expires_at) VALUES ('a', '2020-01-01'), ('b', '2020-01-01')");
      const client = await pool.connect();
      await client.query("BEGIN; SELECT FROM suite_state WHERE key = 'a' FOR UPDATE");
      expect(await store.removeExpired()).toBe(1);
      await client.query("ROLLBACK");
      client.release();
    });

    it("has no part in transactions of the user's own, which may roll back", async () => {
      const client = await pool.connect();
      await client.query("BEGIN");
      expect(await store.claim("once")).toBe(true);
      await client.query("ROLLBACK");
      client.release();
      expect(await store.claim("once")).toBe(false);
    });

    it("rejects in its time where the pool is exhausted, and does nothing later", async () => {
      const small = poolOf({ max: 1 });
      const impatient = postgresStateStore(small, { timeout: 100 });
      const taken = await small.connect();
      await expect(impatient.claim("late")).rejects.toMatchObject({
        code: "ERR_STORE_POSTGRES_TIMEOUT",
        message: expect.stringContaining("Nothing was done"),
      });
      taken.release();
      expect(await impatient.claim("late")).toBe(true);
      await small.end();
    });

    it("rejects in time if a row is locked, releases that connection, and works again", async () => {
      const small = poolOf({ max: 1 });
      const impatient = postgresStateStore(small, { timeout: 200 });
      await impatient.add("held", 1);
      const client = await pool.connect();
      await client.query("BEGIN; SELECT FROM suite_state WHERE key = 'held' FOR UPDATE");
      await expect(impatient.add("held", 1)).rejects.toMatchObject({ code: "ERR_STORE_POSTGRES_TIMEOUT" });
      expect(await impatient.add("free", 1)).toEqual({ added: true, total: 1 });
      await client.query("ROLLBACK");
      client.release();
      await small.end();
    });

    it("takes numbers whatever parser the user has set for them", async () => {
      const types = { getTypeParser: (oid: number) => (oid === 20 ? BigInt : pg.types.getTypeParser(oid)) };
      const own = poolOf({ types: types as never });
      expect(await postgresStateStore(own).add("c", 3)).toEqual({ added: true, total: 3 });
      await own.end();
    });

    it("rejects with the server's own error where the table is missing, and keeps the connection", async () => {
      const small = poolOf({ max: 1 });
      const lost = postgresStateStore(small, { table: "nowhere" });
      await expect(lost.get("k")).rejects.toMatchObject({ code: "42P01" });
      const [{ pid }] = (await small.query("SELECT pg_backend_pid() AS pid")).rows;
      await expect(lost.add("k", 1)).rejects.toMatchObject({ code: "42P01" });
      expect((await small.query("SELECT pg_backend_pid() AS pid")).rows).toEqual([{ pid }]);
      await small.end();
    });

    it("rejects with the client's error if the server is gone, and works again when the server is back", async () => {
      await store.add("c", 1);
      const underWay = Array.from({ length: 5 }, () =>
        Promise.resolve(store.add("c", 1)).then(
          () => 1,
          () => 0,
        ),
      );
      server.kill();
      const acknowledged = (await Promise.all(underWay)).reduce<number>((sum, each) => sum + each, 0);
      await expect(store.add("c", 100)).rejects.toThrow();
      server.restart();
      await healthy(pool);
      const { total } = await store.add("c", 0);
      expect(total).toBeGreaterThanOrEqual(1 + acknowledged);
      expect(total).toBeLessThanOrEqual(6);
    });

    it("makes a table once, however many processes begin at the same time", async () => {
      const crowd = poolOf({ max: 20 });
      for (const table of ["first_state", "second_state", "third_state"]) {
        await Promise.all(Array.from({ length: 20 }, () => crowd.query(createTable(table))));
      }
      await crowd.query("DROP TABLE first_state, second_state, third_state");
      await crowd.end();
    });

    it("makes a table that is there already, and one beside another", async () => {
      await pool.query(createTable());
      await pool.query(createTable("public.other_state"));
      await postgresStateStore(pool, { table: "other_state", prefix: "a:" }).add("k", 1);
      expect((await pool.query("SELECT key, total FROM other_state")).rows).toEqual([{ key: "a:k", total: "1" }]);
      await pool.query("DROP TABLE other_state");
    });
  });
});

describe("postgresStateStore refuses", () => {
  const pool = new pg.Pool();
  it.each([
    ["a table's name that is none", () => postgresStateStore(pool, { table: 'x"; DROP TABLE y' })],
    ["a table's name that is cut", () => createTable("x".repeat(57))],
    ["a timeout of 0", () => postgresStateStore(pool, { timeout: 0 })],
    ["a timeout that is no number", () => postgresStateStore(pool, { timeout: Number.NaN })],
    ["a prefix that is no text", () => postgresStateStore(pool, { prefix: 1 as never })],
    ["a name that is no option", () => postgresStateStore(pool, { tabel: "x" } as never)],
    ["no pool", () => postgresStateStore(undefined as never)],
    ["one client, which has transactions and no second connection", () => postgresStateStore(new pg.Client() as never)],
  ])("%s", (_, make) => {
    expect(make).toThrow(expect.objectContaining({ code: "ERR_STORE_POSTGRES_OPTION" }));
  });
});
