export type { BackoffOptions } from "./backoff.js";
export type { CacheTenant, Hash } from "./cache/key.js";
export type { CacheOptions } from "./cache/options.js";
export { cache } from "./cache.js";
export { type CircuitBreakerOptions, circuitBreaker } from "./circuit-breaker.js";
export { ResilienceError, type ResilienceErrorCode } from "./errors.js";
export { type ErrorFilter, type ErrorMatch, isOutage, isTransient, isUnavailable } from "./failure.js";
export { type HedgeOptions, hedge } from "./hedge.js";
export { type FallbackModel, type ModelFallbackOptions, modelFallback } from "./model-fallback.js";
export type { ResilienceOptions } from "./options.js";
export {
  type BrokenCall,
  type RepairArguments,
  type RepairToolCallOptions,
  repairToolCall,
} from "./repair-tool-call.js";
export { type ExhaustedAnswer, type RetryModelOptions, retryModel } from "./retry-model.js";
export { type ExhaustedToolText, type RetryToolOptions, retryTool } from "./retry-tool.js";
export { type TimeoutOptions, timeout } from "./timeout.js";
export { type ToolErrorsOptions, type ToolErrorText, toolErrors } from "./tool-errors.js";
export type { ToolFilter } from "./tool-failure.js";
export { type UndoOptions, type UndoPlugin, type UndoResult, undo } from "./undo.js";
