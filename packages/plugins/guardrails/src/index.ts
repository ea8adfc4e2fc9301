export { GuardrailsError, type GuardrailsErrorCode } from "./errors.js";
export type { GuardOptions } from "./options.js";
export type { ArgumentCondition, ToolPolicy, ToolPolicyRate, ToolPolicyRule } from "./policy/policy.js";
export { toolPolicySchema } from "./policy/schema.js";
export { parsedOutput, type SchemaOptions, schema } from "./schema.js";
export { type ToolPolicyOptions, toolPolicy } from "./tool-policy.js";
