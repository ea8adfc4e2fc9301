import type { StateStore } from "@suite/core";
import { checkAmount, checkTtl, otherKind, overflow } from "@suite/kit/store";
import { within } from "@suite/kit/time";
import type { RedisClientOptions } from "redis";
import { connectionOf, lazyConnection, type RedisClient, type RedisCommands } from "./client.js";
import { RedisStoreError } from "./errors.js";
import { addScript, claimScript, compareAndSetScript, run, type Script } from "./scripts.js";

/** The options of `redisStateStore`. */
export interface RedisStoreOptions {
  /** A prefix for all keys, which separates them from other keys in the same database. Default: `suite:`. */
  readonly prefix?: string;
  /**
   * Milliseconds after which an operation without a reply rejects, even if it is still in the client's queue because
   * there is no connection. Default: 5,000.
   */
  readonly timeout?: number;
}

/** A `StateStore` on Redis. */
export interface RedisStateStore extends StateStore {
  /** Closes the client that the store created. A client that the user passed stays open. */
  close(): Promise<void>;
}

/**
 * Creates a `StateStore` on Redis or Valkey, shared by all processes that use the same database and prefix. Each
 * operation is one round trip on one key, timed by the server's clock, and never sent twice.
 *
 * @param client a client that the user connects and closes, or the options for a client that the store creates.
 * @throws {RedisStoreError} `ERR_STORE_REDIS_OPTION`
 * @example
 * ```ts
 * const client = await createClient({ url }).on("error", log).connect();
 * const store = redisStateStore(client);
 * ```
 */
export function redisStateStore(
  client: RedisClient | RedisClientOptions,
  options: RedisStoreOptions = {},
): RedisStateStore {
  const { prefix, timeout } = checked(options);
  if (typeof client !== "object" || client === null)
    throw invalid("redisStateStore() takes a client or the options of one.");
  const connection = isClient(client) ? connectionOf(client) : lazyConnection(client);

  const key = (name: string): string => prefix + encoded(name);
  const send = (act: (commands: RedisCommands) => Promise<unknown>): Promise<unknown> =>
    inTime(timeout, (signal) => act(connection.commands(signal)));
  const runScript = (script: Script, name: string, ...args: readonly (string | number | undefined)[]) =>
    send((commands) =>
      run(commands, script, {
        keys: [key(name)],
        arguments: args.map((each) => (each === undefined ? "" : `${each}`)),
      }),
    );

  return {
    async get(name) {
      const reply = await send((commands) => commands.get(key(name)));
      if (reply === null) return undefined;
      const text = String(reply);
      if (!text.startsWith("value:")) throw otherKind();
      return { version: text.slice(6, 42), value: valueIn(text.slice(43)) };
    },
    async compareAndSet(name, expected, value, expiry) {
      const ttl = checkTtl(expiry);
      const json = JSON.stringify(value);
      if (expected !== undefined && !isVersion.test(expected)) return false;
      const entry = json === undefined ? undefined : `value:${crypto.randomUUID()}:${json}`;
      return (await runScript(compareAndSetScript, name, expected, entry, ttl)) === 1;
    },
    async add(name, amount, expiry = {}) {
      checkAmount(amount, expiry.maximum);
      const ttl = checkTtl(expiry);
      const reply = await runScript(addScript, name, amount, expiry.maximum, ttl);
      const [status, total, remaining] = Array.isArray(reply) ? reply : [];
      if (status === -2) throw otherKind();
      if (status === -1) throw overflow();
      if ((status !== 0 && status !== 1) || !Number.isSafeInteger(Number(total))) throw unknownReply();
      return {
        added: status === 1,
        total: Number(total),
        ...(Number(remaining) >= 0 && { expiresIn: Number(remaining) }),
      };
    },
    async claim(name, expiry) {
      return (await runScript(claimScript, name, checkTtl(expiry))) === 1;
    },
    async delete(name) {
      await send((commands) => commands.del(key(name)));
    },
    close: () => connection.close(),
  };
}

/** The value of an entry. The error of `JSON.parse` would contain a part of what another program has written. */
function valueIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw unknownReply();
  }
}

const isVersion = /^[0-9a-f-]{36}$/;

const isClient = (client: RedisClient | RedisClientOptions): client is RedisClient => "withCommandOptions" in client;

const invalid = (message: string): RedisStoreError => new RedisStoreError("ERR_STORE_REDIS_OPTION", message);

const unknownReply = (): RedisStoreError =>
  new RedisStoreError(
    "ERR_STORE_REDIS_REPLY",
    "Unexpected reply from Redis: another program probably writes under the same key prefix. Use a separate prefix.",
  );

/** Setting a timer for longer is setting it for no time. */
const maxTimer = 2 ** 31 - 1;

function checked({ prefix = "suite:", timeout = 5000, ...unknown }: RedisStoreOptions) {
  if (Object.keys(unknown).length > 0) throw invalid("Unknown option of redisStateStore(). Options: prefix, timeout.");
  if (typeof prefix !== "string") throw invalid("The option prefix of redisStateStore() must be a string.");
  if (!Number.isSafeInteger(timeout) || timeout < 1 || timeout > maxTimer) {
    throw invalid("The option timeout of redisStateStore() must be an integer of at least 1 (milliseconds).");
  }
  return { prefix, timeout };
}

/** A key in UTF-8, which has no half of a surrogate pair: those that have one are written as JSON, and so are those that look like it. */
const encoded = (name: string): string => (/^json:|\p{Surrogate}/u.test(name) ? `json:${JSON.stringify(name)}` : name);

/** Waits for a reply within the time limit. A command that the client has not sent by then is never sent. */
const inTime = <T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  within(milliseconds, work, { late: () => tooLate(milliseconds) });

const tooLate = (milliseconds: number): RedisStoreError =>
  new RedisStoreError(
    "ERR_STORE_REDIS_TIMEOUT",
    `Redis did not reply within ${milliseconds} ms. The operation may have been done and is not retried.`,
  );
