import { SUITE_METRIC } from "../attributes/own-names.js";

/**
 * The client-side metrics of the GenAI conventions that are recorded here, with their units and advised buckets.
 * Source: see `semconv.ts`. A test compares them with that data.
 */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const RUN_SECONDS = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6];
const MCP_SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const WORKFLOW_SECONDS = [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];
const CALLS = [1, 2, 4, 8, 16, 32, 64, 128];

/** Histograms: name, unit, buckets, and whether values are whole numbers. */
export const HISTOGRAM = {
  inferenceDuration: { name: "gen_ai.client.inference.duration", unit: "s", buckets: SECONDS, integer: false },
  embeddingsDuration: { name: "gen_ai.client.embeddings.duration", unit: "s", buckets: SECONDS, integer: false },
  embeddingsInputTokens: {
    name: "gen_ai.client.embeddings.operation.input_tokens",
    unit: "{token}",
    buckets: TOKENS,
    integer: true,
  },
  operationDuration: { name: "gen_ai.client.operation.duration", unit: "s", buckets: SECONDS, integer: false },
  timeToFirstChunk: {
    name: "gen_ai.client.inference.time_to_first_chunk",
    unit: "s",
    buckets: SECONDS,
    integer: false,
  },
  timePerOutputChunk: {
    name: "gen_ai.client.inference.time_per_output_chunk",
    unit: "s",
    buckets: SECONDS,
    integer: false,
  },
  inputTokens: {
    name: "gen_ai.client.inference.operation.input_tokens",
    unit: "{token}",
    buckets: TOKENS,
    integer: true,
  },
  outputTokens: {
    name: "gen_ai.client.inference.operation.output_tokens",
    unit: "{token}",
    buckets: TOKENS,
    integer: true,
  },
  agentDuration: { name: "gen_ai.invoke_agent.duration", unit: "s", buckets: RUN_SECONDS, integer: false },
  agentInferenceCalls: {
    name: "gen_ai.invoke_agent.inference_calls",
    unit: "{inference_call}",
    buckets: CALLS,
    integer: true,
  },
  agentToolCalls: { name: "gen_ai.invoke_agent.tool_calls", unit: "{tool_call}", buckets: CALLS, integer: true },
  mcpClientDuration: { name: "mcp.client.operation.duration", unit: "s", buckets: MCP_SECONDS, integer: false },
  mcpServerDuration: { name: "mcp.server.operation.duration", unit: "s", buckets: MCP_SECONDS, integer: false },
  toolDuration: { name: "gen_ai.execute_tool.duration", unit: "s", buckets: SECONDS, integer: false },
} as const;

/** Histograms that v0.1.0 replaced, for `tracing({ dialect: "previous" })`. */
export const PREVIOUS_HISTOGRAM = {
  workflowDuration: { name: "gen_ai.invoke_workflow.duration", unit: "s", buckets: WORKFLOW_SECONDS, integer: false },
} as const;

/** Custom histograms in the same form: a turn of an agent without its sub-agents. */
export const SUITE_HISTOGRAM = {
  agentSelfDuration: { name: SUITE_METRIC.agentSelfDuration, unit: "s", buckets: RUN_SECONDS, integer: false },
  agentInputTokens: { name: SUITE_METRIC.agentInputTokens, unit: "{token}", buckets: TOKENS, integer: true },
  agentOutputTokens: { name: SUITE_METRIC.agentOutputTokens, unit: "{token}", buckets: TOKENS, integer: true },
  agentCacheRead: { name: SUITE_METRIC.agentCacheRead, unit: "{token}", buckets: TOKENS, integer: true },
  agentCacheWrite: { name: SUITE_METRIC.agentCacheWrite, unit: "{token}", buckets: TOKENS, integer: true },
  agentReasoning: { name: SUITE_METRIC.agentReasoning, unit: "{token}", buckets: TOKENS, integer: true },
} as const;

/** Counters of tokens. */
export const COUNTER = {
  usedInputTokens: "gen_ai.client.inference.usage.input_tokens",
  usedOutputTokens: "gen_ai.client.inference.usage.output_tokens",
  usedCacheRead: "gen_ai.client.inference.usage.cache_read.input_tokens",
  usedCacheWrite: "gen_ai.client.inference.usage.cache_write.input_tokens",
  usedReasoning: "gen_ai.client.inference.usage.reasoning.output_tokens",
} as const;

/** Unit of every counter. */
export const TOKEN_UNIT = "{token}";

/** `gen_ai.token.modality` is required on counters. Its value is unknown, since providers' totals do not contain it. */
export const MODALITY = { key: "gen_ai.token.modality", unknown: "unknown" } as const;
