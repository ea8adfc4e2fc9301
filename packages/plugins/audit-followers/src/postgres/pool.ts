import { AuditFollowersError } from "../errors.js";

/** The required part of a `Pool` of the `pg` package. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

/** The required part of its clients. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  /** @param destroy true if the connection is broken */
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

export interface OwnPool extends PostgresPool {
  end(): Promise<void>;
}

/**
 * Creates a pool with one connection, which does not keep the process alive.
 *
 * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION` if `pg` is not installed
 */
export async function makePool(connectionString: string | undefined, timeoutMs: number): Promise<OwnPool> {
  const { default: pg } = await import("pg").catch((cause: unknown) => {
    throw new AuditFollowersError(
      "ERR_AUDIT_FOLLOWERS_INVALID_OPTION",
      "postgres() needs the `pg` package: npm install pg.",
      { cause },
    );
  });
  const pool = new pg.Pool({
    ...(connectionString !== undefined && { connectionString }),
    max: 1,
    connectionTimeoutMillis: timeoutMs,
    allowExitOnIdle: true,
    application_name: "suite-audit",
  });
  // The next query replaces an idle connection that breaks.
  pool.on("error", () => {});
  return pool;
}
