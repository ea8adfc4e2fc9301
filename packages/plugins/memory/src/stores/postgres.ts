import type { MemoryRecord } from "@suite/core/contract";
import { type Check, callable, name as text } from "@suite/kit/options";
import { MemoryError } from "../errors.js";
import { checkOptions, having } from "../options.js";
import type { MemoryStore } from "../store.js";
import { namesOf, type PostgresTable, tableChecks } from "./postgres-table.js";
import { type Embed, unitVectors } from "./vectors.js";

/** The subset of a `Pool` of the `pg` package that the store uses. Other clients may implement it. */
export interface MemoryPool {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** The options of `postgresMemory`. */
export interface PostgresMemoryOptions extends PostgresTable {
  /** Creates the vectors that are searched. */
  readonly embed: Embed;
  /** The minimum cosine similarity of a result, from -1 to 1. Default: -1, so the best matches are always returned. */
  readonly minScore?: number;
  /** The id of the store on spans and in records. Default: the table's name. */
  readonly id?: string;
}

const cosine: Check = (value) =>
  typeof value === "number" && value >= -1 && value <= 1 ? undefined : "a number from -1 to 1";

/**
 * Creates a store in PostgreSQL that is searched by meaning: the vectors of one user's records are compared exactly.
 * All processes that use the table share it. Create the table with `createMemoryTable`.
 *
 * @throws {MemoryError} `ERR_MEMORY_OPTION`
 * @example
 * ```ts
 * await pool.query(createMemoryTable());
 * const remembering = memory({ store: postgresMemory(pool, { embed }) });
 * ```
 */
export function postgresMemory(pool: MemoryPool, options: PostgresMemoryOptions): MemoryStore {
  const isPool = having("a pool", "query")(pool) === undefined;
  options = checkOptions("postgresMemory", options, { ...tableChecks, embed: callable, minScore: cosine, id: text }, [
    "embed",
  ]);
  if (!isPool) throw new MemoryError("ERR_MEMORY_OPTION", "postgresMemory() takes a Pool of the pg package.");
  const { embed, table = "suite_memory", vectors = "pgvector", minScore = -1, id = table } = options;
  const { records, users } = namesOf(table);
  const isVector = vectors === "pgvector";
  const type = isVector ? "vector" : "real[]";
  const literal = (vector: readonly number[]): string => (isVector ? `[${vector.join()}]` : `{${vector.join()}}`);
  // Vectors of another length come from another model and cannot be compared.
  const likeness = isVector
    ? `CASE WHEN vector_dims(embedding) = vector_dims($2::vector) THEN 1 - (embedding <=> $2::vector) END`
    : `CASE WHEN cardinality(embedding) = cardinality($2::real[])
         THEN (SELECT sum(a * b) FROM unnest(embedding, $2::real[]) AS pair(a, b)) END`;

  const find = `SELECT id, content, score FROM (
    SELECT id, content, created_at, ${likeness} AS score FROM ${records}
    WHERE user_id = $1 AND ($3::text IS NULL OR agent = $3)
  ) AS found WHERE score >= $4 ORDER BY score DESC, created_at DESC LIMIT $5`;

  // A write locks the row of the user. So a record is written before the user is forgotten, or not at all.
  const insert = `WITH of_user AS (
    INSERT INTO ${users} AS u (digest, forgotten_at) VALUES (sha256(convert_to($1, 'UTF8')), 0)
    ON CONFLICT (digest) DO UPDATE SET forgotten_at = u.forgotten_at RETURNING u.forgotten_at
  )
  INSERT INTO ${records} (id, user_id, agent, content, embedding)
  SELECT made.id, $1, $2, made.content, made.embedding::${type}
  FROM of_user, unnest($3::uuid[], $4::text[], $5::text[]) AS made(id, content, embedding)
  WHERE of_user.forgotten_at <= $6 RETURNING id`;

  const mark = `INSERT INTO ${users} AS u (digest, forgotten_at) VALUES (sha256(convert_to($1, 'UTF8')), $2)
    ON CONFLICT (digest) DO UPDATE SET forgotten_at = greatest(u.forgotten_at, excluded.forgotten_at)`;
  const remove = `WITH gone AS (DELETE FROM ${records} WHERE user_id = $1 RETURNING 1) SELECT count(*)::int AS count FROM gone`;

  return {
    id,
    async search({ user, agent }, query, limit, call): Promise<readonly MemoryRecord[]> {
      const [vector = []] = await unitVectors(embed, [query], call);
      call.signal.throwIfAborted();
      const { rows } = await pool.query(find, [user, literal(vector), agent ?? null, minScore, limit]);
      return rows.map((row) => {
        const { id, content, score } = row as { id: string; content: string; score: number };
        return { id, content, score: Number(score) };
      });
    },
    async add({ user, agent }, records, call) {
      const contents = records.map(({ content }) => String(content));
      const vectors = await unitVectors(embed, contents, call);
      call.signal.throwIfAborted();
      const ids = records.map(() => crypto.randomUUID());
      const values = [user, agent ?? null, ids, contents, vectors.map(literal), call.since];
      const { rows } = await pool.query(insert, values);
      const storedIds = new Set(rows.map((row) => (row as { id: string }).id));
      return records.flatMap((record, at) => (storedIds.has(ids[at] ?? "") ? [{ ...record, id: ids[at] ?? "" }] : []));
    },
    async forget(user, { at }) {
      await pool.query(mark, [user, at]);
      const { rows } = await pool.query(remove, [user]);
      return Number((rows[0] as { count: unknown } | undefined)?.count);
    },
  };
}
