import { inTime, late } from "@suite/kit/time";
import { AuditFollowersError } from "../errors.js";
import { makePool, type OwnPool, type PostgresClient, type PostgresPool } from "./pool.js";

export interface DatabaseOptions {
  readonly pool: PostgresPool | undefined;
  readonly connectionString: string | undefined;
  readonly timeoutMs: number;
}

/**
 * Classes of SQLSTATE that waiting does not resolve: invalid data, credentials, database name, rights and columns.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const lasting = /^(?:22|28|3D|42)/;
const ignore = (): void => {};

/** A database that may be down, slow, or disconnect during a statement. */
export class Database {
  readonly #options: DatabaseOptions;
  #own: OwnPool | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /**
   * Lends a connection. The connection is discarded on a timeout or if `signal` is aborted.
   *
   * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED`, `ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED`
   */
  async use<T>(signal: AbortSignal, act: (client: PostgresClient) => Promise<T>): Promise<T> {
    const pool = await this.#pool();
    try {
      const connecting = pool.connect();
      const client = await this.#inTime(connecting, signal).catch((error: unknown) => {
        connecting.then((client) => client.release(true), ignore);
        throw error;
      });
      return await this.#lend(client, signal, act);
    } catch (error) {
      throw failure(error);
    }
  }

  async close(): Promise<void> {
    await this.#own?.end();
  }

  async #pool(): Promise<PostgresPool> {
    const { pool, connectionString, timeoutMs } = this.#options;
    if (pool) return pool;
    this.#own ??= await makePool(connectionString, timeoutMs);
    return this.#own;
  }

  async #lend<T>(client: PostgresClient, signal: AbortSignal, act: (client: PostgresClient) => Promise<T>): Promise<T> {
    // A lent connection that breaks emits its error only here. Without a listener it would end the process.
    client.on("error", ignore);
    try {
      const result = await this.#inTime(act(client), signal);
      client.off("error", ignore);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #inTime<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
    const { timeoutMs } = this.#options;
    const result = await inTime(promise, timeoutMs, signal);
    if (result === late) throw new DOMException(`Longer than ${timeoutMs} ms.`, "TimeoutError");
    return result;
  }
}

/** Creates the error of a batch, with only the code of its cause: the server's messages quote values. */
function failure(cause: unknown): AuditFollowersError {
  const { code, name } = cause as { readonly code?: unknown; readonly name?: unknown };
  const what = typeof code === "string" ? code : String(name);
  return lasting.test(what)
    ? new AuditFollowersError(
        "ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED",
        `PostgreSQL refuses a batch: ${what}. Sending is paused until it accepts the batch; check the credentials, permissions and table.`,
        { cause },
      )
    : new AuditFollowersError(
        "ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED",
        `PostgreSQL did not accept a batch: ${what}. It will be retried.`,
        {
          cause,
        },
      );
}
