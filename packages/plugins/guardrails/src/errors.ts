import { CodedError } from "@suite/core";

/** The error codes of @suite/guardrails. Closed: a new code is a new minor version. */
export type GuardrailsErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_GUARDRAILS_OPTION"
  /** A tool policy that is not one: its file cannot be parsed, or does not fit the schema of policies. */
  | "ERR_GUARDRAILS_POLICY"
  /** A model's answer that does not fit its schema, also after it was asked for again. */
  | "ERR_GUARDRAILS_SCHEMA"
  /** Something that a guard found, and that may not pass. The message names the guard and the place. */
  | "ERR_GUARDRAILS_BLOCKED";

/** The one error class of @suite/guardrails. Errors of users, of stores and of models are never wrapped in it. */
export class GuardrailsError extends CodedError<GuardrailsErrorCode> {
  static override readonly brand = Symbol.for("@suite/guardrails/error");
  override readonly name = "GuardrailsError";
}
