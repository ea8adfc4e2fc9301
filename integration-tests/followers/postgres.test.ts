import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from "@jest/globals";
import { openLog, verify } from "@suite/audit";
import { follow, type PostgresOptions, postgres } from "@suite/audit-followers";
import pg from "pg";
import { type Postgres, startPostgres, withPostgres } from "../postgres.js";
import { killFollowers, startFollowing, storedRecords, until } from "./follow.js";

jest.setTimeout(60_000);

withPostgres("a follower into PostgreSQL", () => {
  let server: Postgres;
  let pool: pg.Pool;
  let dir = "";

  beforeAll(() => {
    server = startPostgres();
    pool = new pg.Pool({ host: server.host, user: server.user, database: "postgres" });
    // It is killed while connections are idle.
    pool.on("error", () => {});
  });
  afterAll(async () => {
    await pool.end();
    server.stop();
  });
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "followers-"));
    await pool.query("DROP TABLE IF EXISTS suite_audit, suite_audit_files");
  });
  afterEach(async () => {
    await killFollowers();
    rmSync(dir, { recursive: true });
  });

  const address = () => `postgres://${server.user}@/postgres?host=${encodeURIComponent(server.host)}`;
  const rows = async () => (await pool.query("SELECT * FROM suite_audit ORDER BY file, index")).rows;
  const count = async (): Promise<number> =>
    Number((await pool.query("SELECT count(*) FROM suite_audit")).rows[0].count);
  const delivered = async () => (await rows()).map(({ file, index, line }) => `${file} ${index} ${line}`).sort();

  async function followOnce(options: PostgresOptions): Promise<void> {
    const follower = follow(dir, postgres(options));
    await follower.caughtUp();
    await follower.close();
  }

  /** Holds a lock on the table: who wants to write rows waits, and does not know why. */
  async function hold() {
    const client = await pool.connect();
    client.on("error", () => {});
    await client.query("BEGIN; LOCK TABLE suite_audit IN EXCLUSIVE MODE");
    return {
      isWaitedFor: () =>
        until(async () => {
          const { rows } = await pool.query(
            "SELECT FROM pg_locks WHERE NOT granted AND relation = 'suite_audit'::regclass",
          );
          return rows.length > 0;
        }),
      letGo: () => client.release(true),
    };
  }

  it("has each record once, after it and then PostgreSQL were killed in the middle of a batch", async () => {
    const log = await openLog({ dir, maxFileBytes: 100_000 });
    const write = (from: number) =>
      Promise.all(Array.from({ length: 1000 }, (_, n) => log.append({ n: from + n, text: "x".repeat(100) })));
    await write(0);
    const first = startFollowing(dir, "--postgres", address());
    await until(async () => (await count().catch(() => 0)) > 1000);

    const lock = await hold();
    await write(1000);
    await lock.isWaitedFor();
    await first.kill();
    lock.letGo();

    const second = startFollowing(dir, "--postgres", address());
    await until(async () => (await count()) > 2000);
    const again = await hold();
    await write(2000);
    await again.isWaitedFor();
    server.kill();
    again.letGo();
    await write(3000);
    await until(() => second.said().includes("PostgreSQL did not accept a batch"));
    server.restart();

    await log.close();
    const stored = await storedRecords(dir);
    await until(async () => (await count()) >= stored.length);
    expect(await delivered()).toEqual(stored);
    expect(await second.stop()).toBe(0);
  });

  it("has each record once where two followers write into one table at once", async () => {
    const log = await openLog({ dir });
    await Promise.all(Array.from({ length: 400 }, (_, n) => log.append({ n, text: "x".repeat(100) })));
    await log.close();
    const errors: unknown[] = [];
    const options = { onError: (error: unknown) => void errors.push(error), batchBytes: 1000 };
    const followers = [0, 1].map(() => follow(dir, postgres({ connectionString: address() }), options));
    await Promise.all(followers.map((follower) => follower.caughtUp()));
    await Promise.all(followers.map((follower) => follower.close()));
    expect(errors).toEqual([]);
    expect(await delivered()).toEqual(await storedRecords(dir));
    const { rows: files } = await pool.query("SELECT file, bytes FROM suite_audit_files");
    const [{ file } = { file: "" }] = files;
    expect(files).toEqual([{ file, bytes: String(statSync(join(dir, file)).size) }]);
  });

  it("gives a connection up that hangs, and has each record once all the same", async () => {
    const log = await openLog({ dir });
    await log.append({ n: 1 });
    await followOnce({ pool });
    await log.append({ n: 2 });
    const lock = await hold();
    const errors: unknown[] = [];
    const follower = follow(dir, postgres({ pool, timeoutMs: 100 }), { onError: (error) => errors.push(error) });
    await until(() => errors.length > 1);
    expect(String(errors[0])).toContain("did not accept a batch: TimeoutError");
    lock.letGo();
    await follower.caughtUp();
    await follower.close();
    await log.close();
    expect(await delivered()).toEqual(await storedRecords(dir));
  });

  it("keeps a checkpoint of each file, which `verify` takes as an anchor", async () => {
    const log = await openLog({ dir });
    for (let n = 0; n < 5; n++) await log.append({ n });
    await log.close();
    await followOnce({ pool, table: "public.suite_audit" });
    const { rows } = await pool.query("SELECT checkpoint FROM suite_audit_files");
    const anchor = rows.map(({ checkpoint }) => String(checkpoint));
    expect(await verify(dir, { anchor })).toMatchObject({ ok: true, anchored: 6 });
  });

  it("has columns to ask by, and what PostgreSQL has no room for in the line", async () => {
    const log = await openLog({ dir });
    const record = {
      version: 1,
      time: "2026-01-02T03:04:05.678Z",
      stage: "outcome",
      type: "tool",
      operation: "execute_tool",
      runId: "run\u0000",
      actor: { agent: "support", onBehalfOf: "u-1" },
      target: { name: "refund" },
      outcome: { status: "failed" },
      content: {
        "\u0000": "\u0000 \\u0000 \\ud800 😀",
        huge: 1e308,
        small: 5e-324,
        "'; DROP TABLE x; --": '{"},{NULL',
      },
    };
    await log.append(record);
    await log.append({ time: "9".repeat(40), stage: 1, type: [], actor: "x", outcome: null });
    await log.close();
    await followOnce({ pool });

    const [, full, empty] = await rows();
    expect(full).toMatchObject({
      time: new Date(record.time),
      stage: "outcome",
      type: "tool",
      operation: "execute_tool",
      run_id: "run\ufffd",
      agent: "support",
      on_behalf_of: "u-1",
      target: "refund",
      outcome: "failed",
    });
    expect(JSON.parse(full.line)).toEqual(record);
    expect(full.record.content).toEqual({
      ...record.content,
      "\u0000": undefined,
      "\ufffd": "\ufffd \\u0000 \\ud800 😀",
    });
    expect(empty).toMatchObject({ time: null, stage: null, type: null, agent: null, outcome: null });
    expect(await delivered()).toEqual(await storedRecords(dir));
  });

  it("is refused what its role may not, and needs no right to make tables that are there", async () => {
    const log = await openLog({ dir });
    await log.append({ n: 1 });
    await log.close();
    await pool.query(
      "DROP ROLE IF EXISTS narrow; CREATE ROLE narrow LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    );
    const connectionString = address().replace(server.user, "narrow");
    const codes: unknown[] = [];
    const onError = (error: unknown) => void codes.push((error as { code?: unknown }).code);
    const refused = follow(dir, postgres({ connectionString }), { onError });
    await expect(refused.caughtUp()).rejects.toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED" });
    await refused.close();
    expect(codes).toEqual(["ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED"]);

    await followOnce({ pool });
    await pool.query(
      "TRUNCATE suite_audit, suite_audit_files; GRANT SELECT, INSERT, UPDATE ON suite_audit, suite_audit_files TO narrow",
    );
    await followOnce({ connectionString });
    expect(await delivered()).toEqual(await storedRecords(dir));
    await pool.query("DROP OWNED BY narrow; DROP ROLE narrow");
  });
});
