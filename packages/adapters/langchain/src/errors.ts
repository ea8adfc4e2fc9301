import { CodedError } from "@suite/core";

/** Everything that @suite/langchain itself can complain about. Closed: a new code is a new minor version. */
export type LangChainAdapterErrorCode =
  /** The model is no chat model of LangChain, so that its streams cannot be guarded. */
  | "ERR_LANGCHAIN_MODEL"
  /** A layer suspended a model call: LangGraph has no place from which that could go on. */
  | "ERR_LANGCHAIN_SUSPENDED"
  /** A plugin asked the agent's model for something that this has no place for: `runtime.ask`. */
  | "ERR_LANGCHAIN_ASK"
  /** What plugins were to be attached to is none of the things that they can be attached to. */
  | "ERR_LANGCHAIN_TARGET"
  /** A layer made more texts or embeddings of those there were, or fewer. */
  | "ERR_LANGCHAIN_COUNT";

/** The one error class of @suite/langchain. Errors of models, tools, layers and the framework are never wrapped in it. */
export class LangChainAdapterError extends CodedError<LangChainAdapterErrorCode> {
  static override readonly brand = Symbol.for("@suite/langchain/error");
  override readonly name = "LangChainAdapterError";
}
