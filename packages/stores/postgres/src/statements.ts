// A row with a version is a value, a row with a total is a counter, and any other row is a claim. An expired row counts
// as missing. Time is the server's, at the start of the statement. Every statement reads or writes one row by its key.

/** The statements of a store, with the table's name. Their parameters begin with the key. */
export interface Statements {
  readonly get: string;
  /**
   * Further parameters: amount, maximum, ttl. No row: another kind of entry. `added` is null if the total would be
   * unsafe.
   */
  readonly add: string;
  /** Further parameters: value, version, ttl. A row: it was inserted. */
  readonly insert: string;
  /** Further parameters: value, version, ttl, old version. A row: it was replaced. */
  readonly replace: string;
  /** A further parameter: old version. A row: it was removed. */
  readonly remove: string;
  /** A row: there is one. */
  readonly exists: string;
  readonly delete: string;
  /** The parameter is the greatest number of rows. A row for each expired one that it has removed. */
  readonly sweep: string;
}

const now = "statement_timestamp()";
const end = (ttl: string) =>
  `CASE WHEN ${ttl}::bigint IS NULL THEN 'infinity' ELSE ${now} + ${ttl}::bigint * interval '1 millisecond' END`;
/** The milliseconds until a row expires; null if it never expires. */
const remainingSql = `CASE WHEN expires_at < 'infinity' THEN ceil(extract(epoch FROM expires_at - ${now}) * 1000) END`;
const safe = (total: string) => `${total} BETWEEN -9007199254740991 AND 9007199254740991`;
/** Null if the total would be unsafe. */
const fits = (before: string) => `CASE
  WHEN $2::bigint > 0 AND $3::bigint IS NOT NULL AND ${before} + $2::bigint > $3::bigint THEN false
  WHEN ${safe(`${before} + $2::bigint`)} THEN true END`;

/**
 * Creates the statements. An amount that does not fit changes nothing in the row except `added`, which reports the
 * result.
 */
export const statementsOn = (table: string): Statements => ({
  get: `SELECT value, version FROM ${table} WHERE key = $1 AND expires_at > ${now}`,

  add: `
WITH asked AS (SELECT ${fits("0")} AS first, ${end("$4")} AS until)
INSERT INTO ${table} AS held (key, total, added, expires_at)
SELECT $1, CASE WHEN first THEN $2::bigint ELSE 0 END, first, CASE WHEN first THEN until ELSE ${now} END FROM asked
ON CONFLICT (key) DO UPDATE SET
  value = NULL,
  version = NULL,
  added = CASE WHEN held.expires_at > ${now} THEN ${fits("held.total")} ELSE excluded.added END,
  total = CASE WHEN held.expires_at > ${now}
    THEN held.total + CASE WHEN ${fits("held.total")} THEN $2::bigint ELSE 0 END ELSE excluded.total END,
  expires_at = CASE WHEN held.expires_at > ${now} THEN held.expires_at ELSE excluded.expires_at END
WHERE held.expires_at <= ${now} OR held.total IS NOT NULL
RETURNING added, total, ${remainingSql} AS left_ms`,

  insert: `
INSERT INTO ${table} AS held (key, value, version, expires_at) VALUES ($1, $2, $3, ${end("$4")})
ON CONFLICT (key) DO UPDATE SET
  value = excluded.value, version = excluded.version, total = NULL, added = NULL, expires_at = excluded.expires_at
WHERE held.expires_at <= ${now}
RETURNING 1`,

  replace: `
UPDATE ${table} SET value = $2, version = $3, expires_at = ${end("$4")}
WHERE key = $1 AND version = $5 AND expires_at > ${now}
RETURNING 1`,

  remove: `DELETE FROM ${table} WHERE key = $1 AND version = $2 AND expires_at > ${now} RETURNING 1`,

  exists: `SELECT 1 FROM ${table} WHERE key = $1 AND expires_at > ${now}`,

  delete: `DELETE FROM ${table} WHERE key = $1`,

  // Locked rows are left for the next time, so that neither side waits for the other.
  sweep: `
DELETE FROM ${table} WHERE key IN (
  SELECT key FROM ${table} WHERE expires_at <= ${now} AND expires_at < 'infinity'
  ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING 1`,
});
