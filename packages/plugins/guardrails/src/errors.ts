import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/guardrails. Closed: a new code is a new minor version. */
export type GuardrailsErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_GUARDRAILS_OPTION"
  /** A tool policy is invalid: its file cannot be parsed, or does not match the schema of policies. */
  | "ERR_GUARDRAILS_POLICY"
  /** A model's answer does not match its schema, even after repairs. */
  | "ERR_GUARDRAILS_SCHEMA"
  /** A guard blocked content. The message names the guard and the place. */
  | "ERR_GUARDRAILS_BLOCKED";

/** The error class of @suite/guardrails. Errors of users, stores and models are never wrapped in it. */
export class GuardrailsError extends codedError<GuardrailsErrorCode>("GuardrailsError", "@suite/guardrails/error") {}
