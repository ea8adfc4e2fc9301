import { type OptionChecks, string, withMethods } from "@suite/audit/internal";
import { time } from "@suite/kit/options";
import { AuditFollowersError } from "../errors.js";
import type { DeliveryContext, FollowerBatch, FollowerTarget, Position } from "../follow/target.js";
import { checkOptions } from "../options.js";
import { parametersOf } from "./columns.js";
import { Database } from "./database.js";
import type { PostgresClient, PostgresPool } from "./pool.js";
import { createTables, haveTables, insertBatch, selectPositions, type Tables, tablesOf } from "./tables.js";

/** The options of `postgres`. */
export interface PostgresOptions {
  /** A pool of the `pg` package. The target does not close it. */
  readonly pool?: PostgresPool;
  /** The database to connect to if no pool is passed, with one connection. Default: `PGHOST`, … */
  readonly connectionString?: string;
  /** `table` or `schema.table`. Created if missing, with `…_files` for the cursor. Default `suite_audit`. */
  readonly table?: string;
  /** Timeout of one batch, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
}

const checks: OptionChecks<PostgresOptions> = {
  pool: withMethods("connect"),
  connectionString: string,
  table: string,
  timeoutMs: time,
};

/**
 * Inserts each record into a table of PostgreSQL, exactly once: the same statement writes the cursor. `line` is the
 * stored line, byte for byte. The other columns are copies for queries. `checkpoint` in the table of files is the last
 * one delivered of each file, an anchor for `verify`. Needs the `pg` package.
 *
 * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION`
 *
 * @example
 * ```ts
 * follow(".suite/audit", postgres({ connectionString: process.env.DATABASE_URL, table: "compliance.agent_audit" }));
 * ```
 */
export function postgres(options: PostgresOptions = {}): FollowerTarget {
  options = checkOptions("postgres", options, checks);
  const { table = "suite_audit", timeoutMs = 30_000 } = options;
  const { pool, connectionString } = options;
  // Checked now: the error of `pg` would contain the string with its password.
  if (connectionString !== undefined && !URL.canParse(connectionString.replace("@/", "@_/"), "postgres://base"))
    throw invalid("postgres({ connectionString }) must be an address such as postgres://user@host/database.");
  return new Postgres(tablesOf(table), new Database({ pool, connectionString, timeoutMs }));
}

class Postgres implements FollowerTarget {
  readonly name = "postgres";
  readonly #tables: Tables;
  readonly #database: Database;
  #hasTables = false;

  constructor(tables: Tables, database: Database) {
    this.#tables = tables;
    this.#database = database;
  }

  async positions(files: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Position>> {
    const { rows } = await this.#query(selectPositions(this.#tables), [files], signal);
    return new Map(rows.map((row) => [String(row.file), positionIn(row)]));
  }

  async deliver(batch: FollowerBatch, { signal }: DeliveryContext): Promise<void> {
    await this.#query(insertBatch(this.#tables), parametersOf(batch), signal);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #query(text: string, values: unknown[], signal: AbortSignal) {
    return this.#database.use(signal, async (client) => {
      if (!this.#hasTables) await this.#makeTables(client);
      return client.query(text, values);
    });
  }

  async #makeTables(client: PostgresClient): Promise<void> {
    const { rows } = await client.query(haveTables, [this.#tables.rows, this.#tables.files]);
    if (rows[0]?.there !== true) await client.query(createTables(this.#tables));
    this.#hasTables = true;
  }
}

/** `pg` returns `bigint` as a string. */
const positionIn = ({ bytes, records, checkpoint }: Readonly<Record<string, unknown>>): Position => ({
  bytes: Number(bytes),
  records: Number(records),
  ...(typeof checkpoint === "string" && { checkpoint }),
});

const invalid = (message: string): AuditFollowersError =>
  new AuditFollowersError("ERR_AUDIT_FOLLOWERS_INVALID_OPTION", message);
