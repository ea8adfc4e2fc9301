import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/openai-agents. The union is closed: a new code needs a new minor version. */
export type OpenAIAgentsErrorCode =
  /** The target of `withPlugins` is not the module `@openai/agents` or a `Runner`. */
  | "ERR_OPENAI_AGENTS_TARGET"
  /**
   * The runtime has no `AsyncLocalStorage`, which tools and models need to find their run, or its `WeakMap` is frozen.
   */
  | "ERR_OPENAI_AGENTS_RUNTIME"
  /** A tool, model or provider is frozen, so that the plugins cannot wrap it. */
  | "ERR_OPENAI_AGENTS_FROZEN"
  /**
   * A layer suspended a call that the SDK cannot suspend, or a plugin called a model by name and the runner has no
   * provider.
   */
  | "ERR_OPENAI_AGENTS_UNSUPPORTED"
  /** A tool failed and the SDK does not expose its error. Only layers, spans and records receive this one. */
  | "ERR_OPENAI_AGENTS_TOOL_FAILED";

/** The error class of @suite/openai-agents. Errors of users and of the SDK are never wrapped in it. */
export class OpenAIAgentsError extends codedError<OpenAIAgentsErrorCode>(
  "OpenAIAgentsError",
  "@suite/openai-agents/error",
) {}
