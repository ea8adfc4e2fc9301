import { createClient, type RedisClientOptions } from "redis";
import { RedisStoreError } from "./errors.js";

/** The keys and arguments of a script. */
export interface ScriptArguments {
  readonly keys: string[];
  readonly arguments: string[];
}

/** The commands that the store uses of a client of the `redis` package. */
export interface RedisCommands {
  get(key: string): Promise<unknown>;
  del(key: string): Promise<unknown>;
  eval(script: string, args: ScriptArguments): Promise<unknown>;
  evalSha(sha1: string, args: ScriptArguments): Promise<unknown>;
}

/** The options that the store sets for each command. */
export interface SendOptions {
  /** Removes a command from any queue of the client, unless it was sent. */
  readonly abortSignal: AbortSignal;
  /** Turns the client's timeout off: the signal covers all of its queues. */
  readonly timeout: 0;
  /** Turns type mapping off: replies arrive unconverted, even if the user's client maps types. */
  readonly typeMapping: Record<never, never>;
}

/** A client of the `redis` package, from `createClient`, `createClientPool` or `createCluster`. */
export interface RedisClient {
  withCommandOptions(options: SendOptions): RedisCommands;
}

/** The connection that a store uses. */
export interface Connection {
  /** The commands of the client, until the signal aborts. They connect first if the store created the client. */
  commands(abortSignal: AbortSignal): RedisCommands;
  /** Closes the client if the store created it. */
  close(): Promise<void>;
}

const ignore = (): void => {};

const commandsOf = (client: RedisClient, abortSignal: AbortSignal): RedisCommands =>
  client.withCommandOptions({ abortSignal, timeout: 0, typeMapping: {} });

/** Returns the connection of a client that the user created. */
export function connectionOf(client: RedisClient): Connection {
  if ("getMasterNode" in client || "getSentinelNode" in client) {
    throw new RedisStoreError(
      "ERR_STORE_REDIS_OPTION",
      "redisStateStore() does not accept a client of createSentinel(): it resends commands whose reply was lost, which would count them twice. Pass a client of the master.",
    );
  }
  return { commands: (signal) => commandsOf(client, signal), close: async () => {} };
}

/**
 * Creates a client. An error that the package throws for a wrong address contains the address with its password, so
 * neither its message nor the error is passed on.
 *
 * @throws {RedisStoreError} `ERR_STORE_REDIS_OPTION`
 */
function createdClient(options: RedisClientOptions): ReturnType<typeof createClient> {
  try {
    return createClient(options);
  } catch {
    throw new RedisStoreError(
      "ERR_STORE_REDIS_OPTION",
      "redisStateStore() cannot create a client from its options. The url must have the form redis://user@host:6379/0.",
    );
  }
}

/** Returns the connection of a client that the store creates. It connects at the first use. */
export function lazyConnection(options: RedisClientOptions): Connection {
  const client = createdClient(options);
  // Each operation that fails rejects by itself. An error event without a listener would end the process.
  client.on("error", ignore);
  let closed = false;
  return {
    commands(signal) {
      if (!client.isOpen && !closed) client.connect().catch(ignore);
      return commandsOf(client, signal);
    },
    async close() {
      closed = true;
      if (client.isOpen) await client.close();
    },
  };
}
