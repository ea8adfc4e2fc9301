export type { RedisClient, RedisCommands, ScriptArguments, SendOptions } from "./client.js";
export { RedisStoreError, type RedisStoreErrorCode } from "./errors.js";
export { type RedisStateStore, type RedisStoreOptions, redisStateStore } from "./redis-store.js";
