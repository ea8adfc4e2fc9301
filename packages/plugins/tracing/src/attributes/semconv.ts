/**
 * The names of the OpenTelemetry GenAI conventions that are recorded here. Source:
 * open-telemetry/semantic-conventions-genai v0.1.0, Apache-2.0, and the core conventions v1.44.0 for `server.*`,
 * `error.type` and `exception.*`. Contains only the names in use. A test compares them with `test/conventions.json`.
 */

/** The schema URL of every span of this scope. */
export const SCHEMA_URL = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";

/** Attribute names, by meaning. */
export const ATTR = {
  operationName: "gen_ai.operation.name",
  providerName: "gen_ai.provider.name",
  conversationId: "gen_ai.conversation.id",
  outputType: "gen_ai.output.type",

  agentName: "gen_ai.agent.name",
  agentDescription: "gen_ai.agent.description",

  dataSourceId: "gen_ai.data_source.id",
  retrievalQueryText: "gen_ai.retrieval.query.text",
  retrievalDocuments: "gen_ai.retrieval.documents",
  retrievalTopK: "gen_ai.retrieval.top_k",
  memoryStoreId: "gen_ai.memory.store.id",
  memoryRecordId: "gen_ai.memory.record.id",
  memoryRecordCount: "gen_ai.memory.record.count",
  memoryQueryText: "gen_ai.memory.query.text",
  memoryRecords: "gen_ai.memory.records",
  embeddingsDimensionCount: "gen_ai.embeddings.dimension.count",
  requestEncodingFormats: "gen_ai.request.encoding_formats",

  requestModel: "gen_ai.request.model",
  requestStream: "gen_ai.request.stream",
  requestTemperature: "gen_ai.request.temperature",
  requestTopP: "gen_ai.request.top_p",
  requestTopK: "gen_ai.request.top_k",
  requestMaxTokens: "gen_ai.request.max_tokens",
  requestStopSequences: "gen_ai.request.stop_sequences",
  requestSeed: "gen_ai.request.seed",
  requestFrequencyPenalty: "gen_ai.request.frequency_penalty",
  requestPresencePenalty: "gen_ai.request.presence_penalty",

  responseId: "gen_ai.response.id",
  responseModel: "gen_ai.response.model",
  responseFinishReasons: "gen_ai.response.finish_reasons",
  /** Seconds. Set only if the request asked for a stream. */
  responseTimeToFirstChunk: "gen_ai.response.time_to_first_chunk",

  usageInputTokens: "gen_ai.usage.input_tokens",
  usageOutputTokens: "gen_ai.usage.output_tokens",
  usageCacheReadInputTokens: "gen_ai.usage.cache_read.input_tokens",
  usageCacheWriteInputTokens: "gen_ai.usage.cache_write.input_tokens",
  usageReasoningOutputTokens: "gen_ai.usage.reasoning.output_tokens",

  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolDescription: "gen_ai.tool.description",
  toolCallId: "gen_ai.tool.call.id",
  promptName: "gen_ai.prompt.name",

  mcpMethod: "mcp.method.name",
  mcpSessionId: "mcp.session.id",
  mcpProtocolVersion: "mcp.protocol.version",
  mcpResourceUri: "mcp.resource.uri",
  jsonrpcRequestId: "jsonrpc.request.id",
  rpcStatusCode: "rpc.response.status_code",
  networkTransport: "network.transport",
  networkProtocol: "network.protocol.name",

  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  systemInstructions: "gen_ai.system_instructions",
  toolDefinitions: "gen_ai.tool.definitions",
  toolCallArguments: "gen_ai.tool.call.arguments",
  toolCallResult: "gen_ai.tool.call.result",

  evaluationName: "gen_ai.evaluation.name",
  evaluationScoreValue: "gen_ai.evaluation.score.value",
  evaluationScoreLabel: "gen_ai.evaluation.score.label",
  evaluationExplanation: "gen_ai.evaluation.explanation",

  serverAddress: "server.address",
  serverPort: "server.port",

  errorType: "error.type",
  exceptionType: "exception.type",
  exceptionMessage: "exception.message",
  exceptionStacktrace: "exception.stacktrace",
} as const;

/** Values of `gen_ai.operation.name` that are recorded here. */
export const OPERATION = {
  chat: "chat",
  embeddings: "embeddings",
  retrieval: "retrieval",
  invokeAgent: "invoke_agent",
  executeTool: "execute_tool",
  invokeWorkflow: "invoke_workflow",
  plan: "plan",
} as const;

/** The value of an open enumeration if none of its values applies. */
export const OTHER = "_OTHER";

/** The only value of `gen_ai.tool.type` for tools that run on the client side. */
export const TOOL_TYPE_FUNCTION = "function";

/** Name of the span event that carries `exception.*`. */
export const EXCEPTION_EVENT = "exception";

/** Names of events that are log records. */
export const LOG_EVENT = {
  inferenceDetails: "gen_ai.client.inference.operation.details",
  evaluation: "gen_ai.evaluation.result",
  inferenceException: "gen_ai.client.inference.exception",
} as const;

/** Names that v0.1.0 replaced, for `tracing({ dialect: "previous" })`. */
export const PREVIOUS = {
  workflowName: "gen_ai.workflow.name",
  clientException: "gen_ai.client.operation.exception",
} as const;
