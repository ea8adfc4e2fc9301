import { CodedError } from "@suite/core";

/** The error codes of @suite/openai-agents. Closed: a new code is a new minor version. */
export type OpenAIAgentsErrorCode =
  /** A target of `withPlugins` that is neither the module `@openai/agents` nor a `Runner`. */
  | "ERR_OPENAI_AGENTS_TARGET"
  /** A runtime without `AsyncLocalStorage`, so that tools and models could not be told which run they belong to; or with a frozen `WeakMap`. */
  | "ERR_OPENAI_AGENTS_RUNTIME"
  /** A frozen tool, model or provider: the plugins could not be put before it. */
  | "ERR_OPENAI_AGENTS_FROZEN"
  /** A layer's suspension that the SDK has no place for, or a plugin's request to a model by name where there is no provider. */
  | "ERR_OPENAI_AGENTS_NO_PLACE"
  /** A tool failed, and the SDK keeps its error to itself: only layers, spans and records get this one. */
  | "ERR_OPENAI_AGENTS_TOOL_FAILED";

/** The one error class of @suite/openai-agents. Errors of users and of the SDK are never wrapped in it. */
export class OpenAIAgentsError extends CodedError<OpenAIAgentsErrorCode> {
  static override readonly brand = Symbol.for("@suite/openai-agents/error");
  override readonly name = "OpenAIAgentsError";
}
