import { AuditError } from "../../errors.js";

/** The part of a `Pool` of the `pg` package that is needed. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

/** The part of its clients that is needed. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  /** @param destroy the connection is of no more use. */
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

export interface OwnPool extends PostgresPool {
  end(): Promise<void>;
}

/**
 * A pool with one connection, which does not keep the process alive.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION` where `pg` is not installed.
 */
export async function makePool(connectionString: string | undefined, timeoutMs: number): Promise<OwnPool> {
  const { default: pg } = await import("pg").catch((cause: unknown) => {
    throw new AuditError("ERR_AUDIT_INVALID_OPTION", "postgres() needs the `pg` package: npm install pg.", { cause });
  });
  const pool = new pg.Pool({
    ...(connectionString !== undefined && { connectionString }),
    max: 1,
    connectionTimeoutMillis: timeoutMs,
    allowExitOnIdle: true,
    application_name: "suite-audit",
  });
  // An idle connection that breaks is made anew by the next query.
  pool.on("error", () => {});
  return pool;
}
