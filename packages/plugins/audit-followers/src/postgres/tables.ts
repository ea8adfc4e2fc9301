import { AuditFollowersError } from "../errors.js";

/** The quoted table names of a target. */
export interface Tables {
  readonly rows: string;
  readonly files: string;
}

/** One or two names that need no escaping. PostgreSQL cuts names at 63 bytes, and `_files` is appended to one. */
const tableName = /^(?:([A-Za-z_][A-Za-z0-9_]{0,62})\.)?([A-Za-z_][A-Za-z0-9_]{0,56})$/;

/** @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION` */
export function tablesOf(table: string): Tables {
  const [, schema, name] = tableName.exec(table) ?? [];
  if (name === undefined) {
    throw new AuditFollowersError(
      "ERR_AUDIT_FOLLOWERS_INVALID_OPTION",
      "postgres({ table }) must be `table` or `schema.table`, of letters, digits and `_`; a table's name has at most 57.",
    );
  }
  const prefix = schema === undefined ? "" : `"${schema}".`;
  return { rows: `${prefix}"${name}"`, files: `${prefix}"${name}_files"` };
}

/**
 * The statements that create the tables. `line` is the record, byte for byte. The other columns are for queries. The
 * lock makes a second process wait: if two create the same table at once, PostgreSQL fails one in spite of IF NOT
 * EXISTS.
 */
export const createTables = ({ rows, files }: Tables): string => `
SELECT pg_advisory_xact_lock(hashtext('suite-audit tables'));
CREATE TABLE IF NOT EXISTS ${rows} (
  file text NOT NULL,
  index bigint NOT NULL,
  time timestamptz,
  stage text,
  type text,
  operation text,
  run_id text,
  session_id text,
  call_id text,
  trace_id text,
  agent text,
  on_behalf_of text,
  target text,
  decision text,
  outcome text,
  record jsonb,
  line text NOT NULL,
  PRIMARY KEY (file, index)
);
CREATE TABLE IF NOT EXISTS ${files} (
  file text PRIMARY KEY,
  bytes bigint NOT NULL,
  records bigint NOT NULL,
  checkpoint text
)`;

/** True if both tables exist. Then the role needs no right to create any. */
export const haveTables = "SELECT to_regclass($1) IS NOT NULL AND to_regclass($2) IS NOT NULL AS there";

export const selectPositions = ({ files }: Tables): string =>
  `SELECT file, bytes, records, checkpoint FROM ${files} WHERE file = ANY($1)`;

/** One statement, so that rows and cursor are written together or not at all. A repeated batch changes nothing. */
export const insertBatch = ({ rows, files }: Tables): string => `
WITH inserted AS (
  INSERT INTO ${rows} (file, index, time, stage, type, operation, run_id, session_id, call_id, trace_id, agent,
    on_behalf_of, target, decision, outcome, record, line)
  SELECT $1, * FROM unnest($5::bigint[], $6::timestamptz[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
    $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::jsonb[], $20::text[])
  ON CONFLICT (file, index) DO NOTHING
)
INSERT INTO ${files} AS known (file, bytes, records, checkpoint) VALUES ($1, $2, $3, $4)
ON CONFLICT (file) DO UPDATE
  SET bytes = excluded.bytes, records = excluded.records, checkpoint = excluded.checkpoint
  WHERE known.bytes < excluded.bytes`;
