import { CodedError } from "@suite/core";

/** The codes of all errors of @suite/ai-sdk itself. Closed: a new code is a new minor version. */
export type AiSdkErrorCode =
  /** A model of a specification older than v3, which this adapter does not read. */
  | "ERR_AI_SDK_MODEL_VERSION"
  /** A target of `withPlugins` that is neither the module `ai` nor a `ToolLoopAgent`. */
  | "ERR_AI_SDK_TARGET"
  /** A layer's suspension, answer or request that the framework has no place for. */
  | "ERR_AI_SDK_NO_PLACE"
  /** A tool call that a person, or a layer in their place, has refused. */
  | "ERR_AI_SDK_TOOL_REJECTED";

/** The one error class of @suite/ai-sdk. Errors of users and of the framework are never wrapped in it. */
export class AiSdkError extends CodedError<AiSdkErrorCode> {
  static override readonly brand = Symbol.for("@suite/ai-sdk/error");
  override readonly name = "AiSdkError";
}
