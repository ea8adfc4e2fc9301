export type { BoundOptions } from "./bounded.js";
export { type ContentLimitOptions, contentLimit } from "./content-limit.js";
export type { CountOptions, CountTokens } from "./count.js";
export { ContextError, type ContextErrorCode } from "./errors.js";
export { type HistoryLimitOptions, historyLimit } from "./history-limit.js";
export type { ContextOptions } from "./options.js";
export { type TokenLimitOptions, tokenLimit } from "./token-limit.js";
