import { TracingError } from "./errors.js";

/**
 * A choice of names, for backends that do not read the released conventions:
 *
 * - `released`: those of the GenAI conventions v0.1.0.
 * - `previous`: the names that v0.1.0 replaced: `gen_ai.workflow.name`, `gen_ai.invoke_workflow.duration`,
 *   `gen_ai.client.operation.duration` of embeddings, `gen_ai.client.operation.exception` of model calls.
 * - `langfuse`, `phoenix`: `gen_ai.usage.cost`, and `gen_ai.usage.cache_creation.input_tokens` in place of the
 *   conventions' name for tokens written to the cache.
 * - `proposed`: adds the events of open proposals: `gen_ai.guardrail.result`, `gen_ai.tool.call.decision`,
 *   `gen_ai.agent.paused`, `gen_ai.agent.resumed`. They may change in any version.
 * - `agent-usage`: adds the sum of a turn's tokens to `invoke_agent`. A backend that adds up a trace counts them twice.
 */
export type Dialect = "released" | "previous" | "langfuse" | "phoenix" | "proposed" | "agent-usage";

const DIALECTS: ReadonlySet<unknown> = new Set<Dialect>([
  "released",
  "previous",
  "langfuse",
  "phoenix",
  "proposed",
  "agent-usage",
]);

/** The differences from the released conventions. */
export interface Wording {
  /** Names that the release replaced. */
  readonly previous: boolean;
  /** The names that Langfuse and OpenInference's converter read. */
  readonly backendNames: boolean;
  /** Events of open proposals. */
  readonly proposals: boolean;
  /** Tokens on `invoke_agent`. */
  readonly agentUsage: boolean;
}

/** Reads the option `dialect`. @throws TracingError `ERR_TRACING_INVALID_OPTION` */
export function wordingOf(option: Dialect | readonly Dialect[] = "released"): Wording {
  const chosen: readonly unknown[] = Array.isArray(option) ? option : [option];
  if (!chosen.every((each) => DIALECTS.has(each))) {
    throw new TracingError(
      "ERR_TRACING_INVALID_OPTION",
      `tracing({ dialect }): use one or several of ${[...DIALECTS].map((each) => `"${each}"`).join(", ")}.`,
    );
  }
  return {
    previous: chosen.includes("previous"),
    backendNames: chosen.includes("langfuse") || chosen.includes("phoenix"),
    proposals: chosen.includes("proposed"),
    agentUsage: chosen.includes("agent-usage"),
  };
}
