export type { BackoffOptions } from "./backoff.js";
export { type CircuitBreakerOptions, circuitBreaker } from "./circuit-breaker.js";
export { ResilienceError, type ResilienceErrorCode } from "./errors.js";
export { type ErrorFilter, type ErrorMatch, isOutage, isTransient, isUnavailable } from "./failure.js";
export { type FallbackModel, type ModelFallbackOptions, modelFallback } from "./model-fallback.js";
export type { ResilienceOptions } from "./options.js";
export { type ExhaustedAnswer, type RetryModelOptions, retryModel } from "./retry-model.js";
export { type TimeoutOptions, timeout } from "./timeout.js";
