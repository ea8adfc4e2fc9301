export { type CostBudgetOptions, costBudget } from "./cost-budget.js";
export type { CountLimits } from "./counts.js";
export { LimitsError, type LimitsErrorCode } from "./errors.js";
export { type ModelCallLimitOptions, modelCallLimit } from "./model-call-limit.js";
export type { LimitOptions, StoreOptions } from "./options.js";
export type { ModelPrice } from "./prices.js";
export { type RateLimitOptions, rateLimit } from "./rate-limit.js";
export { type ReplyBudgetOptions, replyBudget } from "./reply-budget.js";
export { type ToolCallLimitOptions, toolCallLimit } from "./tool-call-limit.js";
