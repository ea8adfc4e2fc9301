import { PostgresStoreError } from "./errors.js";

/** One or two names that need no quoting. PostgreSQL cuts names at 63 bytes, and the index has the suffix `_expiry`. */
const tableName = /^(?:([A-Za-z_][A-Za-z0-9_]{0,62})\.)?([A-Za-z_][A-Za-z0-9_]{0,55})$/;

/** The default name of the table. */
export const defaultTable = "suite_state";

/**
 * A table's name, quoted.
 *
 * @throws {PostgresStoreError} `ERR_STORE_POSTGRES_OPTION`
 */
export function quoted(table: string): string {
  const [, schema, name] = partsOf(table);
  return schema === undefined ? `"${name}"` : `"${schema}"."${name}"`;
}

/**
 * Returns the statements that create the table of `postgresStateStore` if it does not exist: for a migration, or once
 * at the start. They are one transaction with a lock. Without the lock, PostgreSQL fails one of two concurrent
 * statements in spite of IF NOT EXISTS.
 *
 * @param table `table` or `schema.table`, of letters, digits and `_`.
 * @throws {PostgresStoreError} `ERR_STORE_POSTGRES_OPTION`
 */
export function createTable(table: string = defaultTable): string {
  const [, , name] = partsOf(table);
  return `SELECT pg_advisory_xact_lock(hashtext('suite_state'));
CREATE TABLE IF NOT EXISTS ${quoted(table)} (
  key text COLLATE "C" PRIMARY KEY,
  value text,
  version uuid,
  total bigint,
  added boolean,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS "${name}_expiry" ON ${quoted(table)} (expires_at) WHERE expires_at < 'infinity';
`;
}

function partsOf(table: string): RegExpExecArray {
  const parts = typeof table === "string" ? tableName.exec(table) : null;
  if (parts !== null) return parts;
  throw new PostgresStoreError(
    "ERR_STORE_POSTGRES_OPTION",
    "The table of a store must be `table` or `schema.table`, of letters, digits and `_`; a table's name has at most 56.",
  );
}
