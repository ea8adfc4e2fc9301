export type { BackoffOptions } from "./backoff.js";
export { ResilienceError, type ResilienceErrorCode } from "./errors.js";
export { type ErrorFilter, type ErrorMatch, isTransient } from "./failure.js";
export type { ResilienceOptions } from "./options.js";
export { type ExhaustedAnswer, type RetryModelOptions, retryModel } from "./retry-model.js";
