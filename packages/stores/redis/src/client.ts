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

/** A client of the `redis` package, as `createClient`, `createClientPool` and `createCluster` make one. */
export interface RedisClient {
  withCommandOptions(options: { readonly timeout: number; readonly typeMapping: Record<never, never> }): RedisCommands;
}

/** The connection that a store uses. */
export interface Connection {
  /** The commands of the client. They connect first, where the store has made the client. */
  commands(): RedisCommands;
  /** Closes the client, where the store has made it. */
  close(): Promise<void>;
}

const ignore = (): void => {};

/** The connection of a client that the user has made. */
export function connectionOf(client: RedisClient, timeout: number): Connection {
  if ("getMasterNode" in client || "getSentinelNode" in client) {
    throw new RedisStoreError(
      "ERR_REDIS_STORE_OPTION",
      "redisStateStore() takes no client of createSentinel(): it sends a command again whose reply was lost, and would count it twice. Give it a client of the master.",
    );
  }
  // Replies come as they were sent, whatever the user's own commands have them mapped to.
  const commands = client.withCommandOptions({ timeout, typeMapping: {} });
  return { commands: () => commands, close: async () => {} };
}

/** The connection of a client that the store makes, and connects when it is first used. */
export function ownConnection(options: RedisClientOptions, timeout: number): Connection {
  const client = createClient(options);
  // Each operation that cannot be done rejects; an error without a listener would end the process.
  client.on("error", ignore);
  const commands = client.withCommandOptions({ timeout, typeMapping: {} });
  return {
    commands() {
      if (!client.isOpen) client.connect().catch(ignore);
      return commands;
    },
    async close() {
      if (client.isOpen) await client.close();
    },
  };
}
