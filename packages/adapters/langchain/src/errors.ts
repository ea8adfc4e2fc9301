import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/langchain. The union is closed: a new code needs a new minor version. */
export type LangChainAdapterErrorCode =
  /** The model is not a chat model of LangChain, so its streams cannot be guarded. */
  | "ERR_LANGCHAIN_MODEL"
  /** A layer suspended a model call. LangGraph cannot resume there. */
  | "ERR_LANGCHAIN_SUSPENDED"
  /** The agent's model does not support the request of a plugin (`runtime.ask`). */
  | "ERR_LANGCHAIN_UNSUPPORTED"
  /** The target of `withPlugins` is not the module, embeddings or a retriever. */
  | "ERR_LANGCHAIN_TARGET"
  /** A layer changed the number of strings or embeddings. */
  | "ERR_LANGCHAIN_EMBEDDING_COUNT";

/** The error class of @suite/langchain. Errors of models, tools, layers and the framework are never wrapped in it. */
export class LangChainAdapterError extends codedError<LangChainAdapterErrorCode>(
  "LangChainAdapterError",
  "@suite/langchain/error",
) {}
