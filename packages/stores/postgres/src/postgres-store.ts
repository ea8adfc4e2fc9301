import { createHash, randomUUID } from "node:crypto";
import type { StateStore } from "@suite/core";
import { checkAmount, checkTtl, otherKind, overflow } from "@suite/kit/store";
import { PostgresStoreError } from "./errors.js";
import { type PostgresPool, runInTime } from "./pool.js";
import { statementsOn } from "./statements.js";
import { defaultTable, quoted } from "./table.js";

/** The options of `postgresStateStore`. */
export interface PostgresStoreOptions {
  /** The table that `createTable` creates: `table` or `schema.table`. Default: `suite_state`. */
  readonly table?: string;
  /** A prefix for all keys, which separates them from other keys in the same table. Default: none. */
  readonly prefix?: string;
  /**
   * Milliseconds after which an operation without an answer rejects. This includes the wait for a connection. Default:
   * 5,000.
   */
  readonly timeout?: number;
}

/** A `StateStore` in PostgreSQL. */
export interface PostgresStateStore extends StateStore {
  /**
   * Removes expired rows, 1,000 at most. The store does this by itself now and then. If the store is idle for long, a
   * job can call it.
   *
   * @returns the number of removed rows.
   */
  removeExpired(): Promise<number>;
}

/** Milliseconds between two removals of expired rows, and the most rows of one removal. */
const sweepInterval = 10_000;
const sweepSize = 1000;

/**
 * Creates a `StateStore` in a table of PostgreSQL, shared by all processes that use the table. Each operation is one
 * statement on one row, timed by the server's clock, and never sent twice.
 *
 * @param pool a `Pool` of the `pg` package, which the user creates and ends.
 * @throws {PostgresStoreError} `ERR_STORE_POSTGRES_OPTION`
 * @example
 * ```ts
 * const pool = new pg.Pool({ connectionString });
 * await pool.query(createTable());
 * const store = postgresStateStore(pool);
 * ```
 */
export function postgresStateStore(pool: PostgresPool, options: PostgresStoreOptions = {}): PostgresStateStore {
  const { table, prefix, timeout } = checked(options);
  if (typeof pool?.connect !== "function" || !("totalCount" in pool)) {
    throw invalid(
      "postgresStateStore() takes a Pool of the pg package. With one client, all operations would wait for each other.",
    );
  }
  const statements = statementsOn(quoted(table));
  let swept = Date.now();

  const run = (text: string, name: string, ...values: readonly (string | number | null | undefined)[]) =>
    runInTime(pool, text, [keyOf(prefix + name), ...values.map((each) => each ?? null)], timeout);

  async function removeExpired(): Promise<number> {
    swept = Date.now();
    const { length } = await runInTime(pool, statements.sweep, [sweepSize], timeout);
    // The batch was full, so there are more rows: the next operation continues.
    if (length === sweepSize) swept = 0;
    return length;
  }
  /**
   * Returns the lifetime of an entry in milliseconds. If entries expire, this also starts the removal of expired rows.
   */
  function lifetime(expiry: Parameters<typeof checkTtl>[0]): number | undefined {
    const ttl = checkTtl(expiry);
    // Not awaited: the operation does not need it, and a later one tries again.
    if (ttl !== undefined && Date.now() - swept >= sweepInterval) removeExpired().catch(() => {});
    return ttl;
  }

  return {
    async get(name) {
      const [row] = await run(statements.get, name);
      if (row === undefined) return undefined;
      if (row.version === null) throw otherKind();
      return { value: valueIn(String(row.value)), version: String(row.version) };
    },
    async compareAndSet(name, expected, value, expiry) {
      const json = JSON.stringify(value);
      const ttl = lifetime(expiry);
      if (expected !== undefined && !isVersion.test(expected)) return false;
      if (json === undefined) {
        if (expected === undefined) return (await run(statements.exists, name)).length === 0;
        return (await run(statements.remove, name, expected)).length === 1;
      }
      const done =
        expected === undefined
          ? await run(statements.insert, name, json, randomUUID(), ttl)
          : await run(statements.replace, name, json, randomUUID(), ttl, expected);
      return done.length === 1;
    },
    async add(name, amount, expiry = {}) {
      checkAmount(amount, expiry.maximum);
      const [row] = await run(statements.add, name, amount, expiry.maximum, lifetime(expiry));
      if (row === undefined) throw otherKind();
      if (row.added === null) throw overflow();
      const remaining = Number(row.left_ms ?? 0);
      return { added: row.added === true, total: Number(row.total), ...(remaining > 0 && { expiresIn: remaining }) };
    },
    async claim(name, expiry) {
      return (await run(statements.insert, name, null, null, lifetime(expiry))).length === 1;
    },
    async delete(name) {
      await run(statements.delete, name);
    },
    removeExpired,
  };
}

/** Parses the value of a row. The error of `JSON.parse` is dropped, since it would contain data of another program. */
function valueIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new PostgresStoreError(
      "ERR_STORE_POSTGRES_VALUE",
      "A row of the table was not written by this store. Use a separate table or prefix.",
    );
  }
}

const isVersion = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The longest key that is stored unhashed, in UTF-16 units: an index takes 2,700 bytes. */
const longestKey = 500;
const unfit = /^sha256:|\0|\p{Surrogate}/u;

/** Returns the key of a row: the readable name, or its hash if PostgreSQL cannot store the name. */
const keyOf = (name: string): string =>
  name.length <= longestKey && !unfit.test(name)
    ? name
    : `sha256:${createHash("sha256").update(JSON.stringify(name)).digest("hex")}`;

const invalid = (message: string): PostgresStoreError => new PostgresStoreError("ERR_STORE_POSTGRES_OPTION", message);

/** A longer timer would fire at once. */
const maxTimer = 2 ** 31 - 1;

function checked({ table = defaultTable, prefix = "", timeout = 5000, ...unknown }: PostgresStoreOptions) {
  if (Object.keys(unknown).length > 0) {
    throw invalid("Unknown option of postgresStateStore(). Options: table, prefix, timeout.");
  }
  if (typeof prefix !== "string") throw invalid("The option prefix of postgresStateStore() must be a string.");
  if (!Number.isSafeInteger(timeout) || timeout < 1 || timeout > maxTimer) {
    throw invalid("The option timeout of postgresStateStore() must be an integer of at least 1 (milliseconds).");
  }
  return { table, prefix, timeout };
}
