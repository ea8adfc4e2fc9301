export { MemoryError, type MemoryErrorCode } from "./errors.js";
export type { Exchange } from "./exchange.js";
export type { ForgetOptions, Forgotten } from "./forget.js";
export { type MemoryPlugin, memory } from "./memory.js";
export type { MemoryPluginOptions } from "./plugin-options.js";
export type { AddCall, MemoryScope, MemoryStore, StoreCall } from "./store.js";
export { type InProcessOptions, inProcessMemory } from "./stores/in-process.js";
export type { UserOf } from "./user.js";
