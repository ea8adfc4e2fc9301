import type { Usage } from "@suite/core";

/** The totals of one model. */
export interface ModelTotals {
  /** The model name in the request. If a layer called another model itself, the name in its answer. */
  readonly model: string;
  readonly provider?: string;
  readonly usage: Usage;
  /** The number of calls of this model. */
  readonly inferenceCalls: number;
}

/** The totals of usage and work. */
export interface Totals {
  /**
   * The tokens of all model calls as the models reported them. Includes every attempt that answered, even if a layer
   * dropped the answer, retried or called another model. Input includes tokens read from and written to a cache; output
   * includes reasoning. An answer from a layer without a model call, for example from a cache, counts no tokens.
   */
  readonly usage: Usage;
  /**
   * The working time in milliseconds, from the begin of each turn to the end of its answer. Excludes the time between
   * suspension and resume. Includes sub-agents, as in OpenTelemetry's `gen_ai.invoke_agent.duration`.
   */
  readonly durationMs: number;
  /** The number of model calls, including each attempt and those of compressions. */
  readonly inferenceCalls: number;
  /** Tokens and calls by model, in the order of the first call. */
  readonly byModel: readonly ModelTotals[];
  /**
   * The number of tool calls that were executed, with or without success, here or elsewhere. Excludes calls that wait,
   * and calls that a layer or a person refused.
   */
  readonly toolCalls: number;
}

/**
 * The totals of one agent without its sub-agents, and the totals of each sub-agent. Each token is counted once in the
 * tree.
 */
export interface AgentTotals extends Totals {
  /** `gen_ai.agent.name`. */
  readonly agent: string;
  /** The number of runs of this agent: one, unless it is a sub-agent that was called several times. */
  readonly runs: number;
  /** The part of `durationMs` during which no sub-agent ran. These values can be summed over agents. */
  readonly selfDurationMs: number;
  /** The sub-agents, one entry for each name, ordered by their first end. */
  readonly subAgents: readonly AgentTotals[];
}

/** The totals of a whole run, including its sub-agents and all turns of a suspended run. */
export interface RunTotals extends Totals {
  /** The totals of each agent. An entry excludes the tokens and calls of its sub-agents, which have their entries. */
  readonly byAgent: AgentTotals;
}

/** Returns the sum over a tree. The duration is the agent's, because sub-agents run within it. */
export const wholeOf = (byAgent: AgentTotals): RunTotals => ({
  usage: everywhere(byAgent, ({ usage }) => usage, addUsage),
  durationMs: byAgent.durationMs,
  inferenceCalls: everywhere(byAgent, ({ inferenceCalls }) => inferenceCalls, add),
  byModel: everywhere(byAgent, ({ byModel = [] }) => byModel, merged),
  toolCalls: everywhere(byAgent, ({ toolCalls }) => toolCalls, add),
  byAgent,
});

/** Returns the list with one more entry. Adds to an existing entry of the same name, including its sub-agents. */
export function withAgent(list: readonly AgentTotals[], one: AgentTotals): readonly AgentTotals[] {
  const known = list.find(({ agent }) => agent === one.agent);
  return known === undefined ? [...list, one] : list.map((each) => (each === known ? sum(known, one) : each));
}

const sum = (a: AgentTotals, b: AgentTotals): AgentTotals => ({
  agent: a.agent,
  runs: a.runs + b.runs,
  usage: addUsage(a.usage, b.usage),
  durationMs: a.durationMs + b.durationMs,
  selfDurationMs: a.selfDurationMs + b.selfDurationMs,
  inferenceCalls: a.inferenceCalls + b.inferenceCalls,
  byModel: merged(a.byModel, b.byModel),
  toolCalls: a.toolCalls + b.toolCalls,
  subAgents: b.subAgents.reduce(withAgent, a.subAgents),
});

/** Returns the list with one more entry. Adds to an existing entry of the same name and provider. */
export function withModel(list: readonly ModelTotals[], one: ModelTotals): readonly ModelTotals[] {
  const known = list.find(({ model, provider }) => model === one.model && provider === one.provider);
  if (known === undefined) return [...list, one];
  const usage = addUsage(known.usage, one.usage);
  const both = { ...known, usage, inferenceCalls: known.inferenceCalls + one.inferenceCalls };
  return list.map((each) => (each === known ? both : each));
}

const merged = (a: readonly ModelTotals[] = [], b: readonly ModelTotals[] = []): readonly ModelTotals[] =>
  b.reduce(withModel, a);

const add = (a: number, b: number): number => a + b;

const everywhere = <T>(node: AgentTotals, figure: (node: AgentTotals) => T, plus: (a: T, b: T) => T): T =>
  node.subAgents.reduce((sofar, each) => plus(sofar, everywhere(each, figure, plus)), figure(node));

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

const optional = ["cacheReadInputTokens", "cacheCreationInputTokens", "reasoningOutputTokens"] as const;

/** Returns the sum of two usages. Invalid counts are ignored, so that one bad answer does not spoil the sum. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {
    inputTokens: count(a.inputTokens) + count(b.inputTokens),
    outputTokens: count(a.outputTokens) + count(b.outputTokens),
  };
  for (const name of optional) {
    if (a[name] !== undefined || b[name] !== undefined) sum[name] = count(a[name]) + count(b[name]);
  }
  return sum;
}

const count = (value: number | undefined): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
