import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/ai-sdk. Closed: a new code is a new minor version. */
export type AiSdkErrorCode =
  /** The model follows a specification older than v3, which this adapter does not support. */
  | "ERR_AI_SDK_MODEL_VERSION"
  /** The target of `withPlugins` is neither the module `ai` nor a `ToolLoopAgent`. */
  | "ERR_AI_SDK_TARGET"
  /** A layer returned a suspension, an answer or a request that the framework does not support. */
  | "ERR_AI_SDK_UNSUPPORTED"
  /** A person, or a layer in place of a person, refused the tool call. */
  | "ERR_AI_SDK_TOOL_REJECTED";

/** The error class of @suite/ai-sdk. It never wraps errors of users or of the framework. */
export class AiSdkError extends codedError<AiSdkErrorCode>("AiSdkError", "@suite/ai-sdk/error") {}
