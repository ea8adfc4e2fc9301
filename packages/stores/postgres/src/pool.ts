import { PostgresStoreError } from "./errors.js";

/** The members that the store uses of a `Pool` of the `pg` package. */
export interface PostgresPool {
  /** The number of its clients. A single client does not have it. */
  readonly totalCount: number;
  connect(): Promise<PostgresClient>;
}

/** The members that the store uses of a pool's clients. */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  /** @param destroy true if the connection is unusable. */
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

type Row = Readonly<Record<string, unknown>>;

const ignore = (): void => {};
const expired = Symbol("expired");

/**
 * PostgreSQL has rolled the statement back because of a concurrent one. This happens with an isolation level above its
 * default.
 */
const isSerializationFailure = (error: unknown): boolean => (error as { readonly code?: unknown })?.code === "40001";

/**
 * Runs one statement on a connection of the pool. The time limit includes waiting for the connection. A statement is
 * sent once, and again only if the server reports that it was rolled back.
 *
 * @throws {PostgresStoreError} `ERR_STORE_POSTGRES_TIMEOUT`
 */
export async function runInTime(
  pool: PostgresPool,
  text: string,
  values: unknown[],
  timeout: number,
): Promise<readonly Row[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof expired>((resolve) => {
    timer = setTimeout(() => resolve(expired), timeout);
  });
  try {
    const connecting = pool.connect();
    const client = await Promise.race([connecting, late]);
    if (client === expired) {
      // Released unused when it arrives.
      connecting.then((unused) => unused.release(), ignore);
      throw tooLate(`The pool had no free connection within ${timeout} ms. Nothing was done. Use a larger pool.`);
    }
    return await runOn(client, text, values, late);
  } finally {
    clearTimeout(timer);
  }
}

async function runOn(
  client: PostgresClient,
  text: string,
  values: unknown[],
  late: Promise<typeof expired>,
): Promise<readonly Row[]> {
  // While a connection is checked out, the pool does not listen for its errors. Without a listener they would end the
  // process.
  client.on("error", ignore);
  let broken = true;
  try {
    for (;;) {
      const result = await Promise.race([attempt(client, text, values), late]);
      if (result === expired) {
        throw tooLate("PostgreSQL did not answer in time. The operation may have been done and is not retried.");
      }
      if (result !== undefined) {
        broken = false;
        return result;
      }
    }
  } catch (error) {
    // An error with a code of five characters is the server's answer. The connection is still usable.
    broken = !/^(?!57P|08)[0-9A-Z]{5}$/.test(String((error as { readonly code?: unknown })?.code));
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(broken);
  }
}

/** @returns undefined if the server has rolled the statement back. */
async function attempt(client: PostgresClient, text: string, values: unknown[]): Promise<readonly Row[] | undefined> {
  try {
    return (await client.query(text, values)).rows;
  } catch (error) {
    if (isSerializationFailure(error)) return undefined;
    throw error;
  }
}

const tooLate = (message: string): PostgresStoreError => new PostgresStoreError("ERR_STORE_POSTGRES_TIMEOUT", message);
