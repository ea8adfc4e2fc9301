import { oneOf, name as text } from "@suite/core/options";
import { checkOptions, invalid } from "../options.js";

/** The table of memories, and the kind of its vectors. */
export interface PostgresTable {
  /** `table` or `schema.table`, of letters, digits and `_`. Default: `suite_memory`. */
  readonly table?: string;
  /** The kind of vectors: `pgvector`, the default, where that extension is there; `arrays`, which any PostgreSQL has. */
  readonly vectors?: "pgvector" | "arrays";
}

/** The checks of these options. */
export const tableChecks = { table: text, vectors: oneOf("pgvector", "arrays") };

/** One or two names that need no thought anywhere. PostgreSQL cuts names at 63 bytes, and others are made of them. */
const tableName = /^(?:([A-Za-z_][A-Za-z0-9_]{0,62})\.)?([A-Za-z_][A-Za-z0-9_]{0,49})$/;

/** The quoted names of the table, of the one that says who was forgotten, and of the index. */
export function namesOf(table = "suite_memory"): {
  readonly records: string;
  readonly users: string;
  readonly index: string;
} {
  const [, schema, name] = tableName.exec(table) ?? [];
  if (name === undefined) {
    throw invalid("The table of a memory is `table` or `schema.table`, of letters, digits and `_`, of 50 at most.");
  }
  const inSchema = (each: string): string => (schema === undefined ? `"${each}"` : `"${schema}"."${each}"`);
  return { records: inSchema(name), users: inSchema(`${name}_users`), index: `"${name}_user"` };
}

/**
 * The statements that make the tables of `postgresMemory`, where they are not there: for a migration, or once at the start.
 * With `pgvector` they make the extension, too, which takes the right to do so. Of the users only digests stand beside the
 * records, with the time at which they were forgotten.
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
