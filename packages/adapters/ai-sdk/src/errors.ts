import { CodedError } from "@suite/core";

/** Everything that @suite/ai-sdk itself can complain about. Closed: a new code is a new minor version. */
export type AiSdkErrorCode =
  /** A model of a specification older than v3, which this adapter does not read. */
  | "ERR_MODEL_VERSION"
  /** What was given to `withPlugins` is neither the module `ai` nor a `ToolLoopAgent`. */
  | "ERR_TARGET"
  /** A layer suspended, or answered, where the framework has no place for it. */
  | "ERR_NO_PLACE"
  /** A person, or a layer in their place, refused a tool call. */
  | "ERR_TOOL_REJECTED";

/** The one error class of @suite/ai-sdk. Errors of users and of the framework are never wrapped in it. */
export class AiSdkError extends CodedError<AiSdkErrorCode> {
  static override readonly brand = Symbol.for("@suite/ai-sdk/error");
  override readonly name = "AiSdkError";
}
