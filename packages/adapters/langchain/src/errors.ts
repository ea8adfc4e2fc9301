import { CodedError } from "@suite/core";

/** The error codes of @suite/langchain. Closed: a new code is a new minor version. */
export type LangChainAdapterErrorCode =
  /** A model that is no chat model of LangChain, so that its streams cannot be guarded. */
  | "ERR_LANGCHAIN_MODEL"
  /** A layer's suspension of a model call: LangGraph has no place from which that could go on. */
  | "ERR_LANGCHAIN_SUSPENDED"
  /** A plugin's request (`runtime.ask`) that the agent's model has no place for. */
  | "ERR_LANGCHAIN_ASK"
  /** A target of `withPlugins` that is neither the module, embeddings nor a retriever. */
  | "ERR_LANGCHAIN_TARGET"
  /** A count of texts or embeddings that a layer changed. */
  | "ERR_LANGCHAIN_COUNT";

/** The one error class of @suite/langchain. Errors of models, tools, layers and the framework are never wrapped in it. */
export class LangChainAdapterError extends CodedError<LangChainAdapterErrorCode> {
  static override readonly brand = Symbol.for("@suite/langchain/error");
  override readonly name = "LangChainAdapterError";
}
