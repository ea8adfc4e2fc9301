import { oneOf, name as text } from "@suite/kit/options";
import { checkOptions, invalid } from "../options.js";

/** The table of memories and its vector type. */
export interface PostgresTable {
  /** `table` or `schema.table`, of letters, digits and `_`. Default: `suite_memory`. */
  readonly table?: string;
  /** The vector type. `pgvector` (default) needs that extension. `arrays` works with any PostgreSQL. */
  readonly vectors?: "pgvector" | "arrays";
}

/** The checks of these options. */
export const tableChecks = { table: text, vectors: oneOf("pgvector", "arrays") };

/** One or two names that need no escaping. PostgreSQL cuts names at 63 bytes, and other names are derived from them. */
const tableName = /^(?:([A-Za-z_][A-Za-z0-9_]{0,62})\.)?([A-Za-z_][A-Za-z0-9_]{0,49})$/;

/** Returns the quoted names of the record table, the table of forgotten users, and the index. */
export function namesOf(table = "suite_memory"): {
  readonly records: string;
  readonly users: string;
  readonly index: string;
} {
  const [, schema, name] = tableName.exec(table) ?? [];
  if (name === undefined) {
    throw invalid("The table of a memory must be `table` or `schema.table`, of at most 50 letters, digits and `_`.");
  }
  const inSchema = (each: string): string => (schema === undefined ? `"${each}"` : `"${schema}"."${each}"`);
  return { records: inSchema(name), users: inSchema(`${name}_users`), index: `"${name}_user"` };
}

/**
 * Returns the statements that create the tables of `postgresMemory` if they do not exist: for a migration, or once at
 * startup. With `pgvector` they also create the extension, which needs the privilege to do so. The user table contains
 * only digests of users, with the time at which each was forgotten.
 *
 * @throws {MemoryError} `ERR_MEMORY_OPTION`
 */
export function createMemoryTable(options: PostgresTable = {}): string {
  options = checkOptions("createMemoryTable", options, tableChecks);
  const { records, users, index } = namesOf(options.table);
  const { vectors = "pgvector" } = options;
  return `SELECT pg_advisory_xact_lock(hashtext('suite_memory'));
${vectors === "pgvector" ? "CREATE EXTENSION IF NOT EXISTS vector;\n" : ""}CREATE TABLE IF NOT EXISTS ${records} (
  id uuid PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL,
  agent text COLLATE "C",
  content text NOT NULL,
  embedding ${vectors === "pgvector" ? "vector" : "real[]"} NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS ${index} ON ${records} (user_id);
CREATE TABLE IF NOT EXISTS ${users} (
  digest bytea PRIMARY KEY,
  forgotten_at double precision NOT NULL
);
`;
}
