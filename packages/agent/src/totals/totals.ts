import type { Usage } from "@suite/core";

/** The part of one model in what was used. */
export interface ModelTotals {
  /** The name that it was asked under; where a layer asked another model by itself, the one that its answer tells. */
  readonly model: string;
  readonly provider?: string;
  readonly usage: Usage;
  /** The number of calls of this model. */
  readonly inferenceCalls: number;
}

/** Totals of what was used, and what was done. */
export interface Totals {
  /**
   * Tokens of the model calls, as the models told them: of every attempt that answered, also where a layer threw its
   * answer away, tried again, or asked another model. Input includes what was read from and written to a cache, output
   * includes reasoning. An answer that a layer gave without asking the model (a cache, say) used none.
   */
  readonly usage: Usage;
  /**
   * Milliseconds at work, from when a turn begins until its answer has ended. Not the time between a suspension and the
   * resume. Sub-agents' time is in it, as in OpenTelemetry's `gen_ai.invoke_agent.duration`.
   */
  readonly durationMs: number;
  /** The number of model calls, each attempt and those of compressions included. */
  readonly inferenceCalls: number;
  /** Tokens and calls by model, in the order in which they were asked first. */
  readonly byModel: readonly ModelTotals[];
  /** Tool calls that were carried out, well or badly, here or elsewhere. Not those that wait, were refused by a layer, or by a person afterwards. */
  readonly toolCalls: number;
}

/** The totals of one agent by itself, and the same of each of its sub-agents: in the whole tree, each token stands once. */
export interface AgentTotals extends Totals {
  /** `gen_ai.agent.name`. */
  readonly agent: string;
  /** Runs of this agent that are added up here: one, unless it is a sub-agent that was called more often. */
  readonly runs: number;
  /** The part of `durationMs` in which none of its sub-agents ran: what can be added up over agents. */
  readonly selfDurationMs: number;
  /** The sub-agents, one entry for each name, in the order in which they first ended. */
  readonly subAgents: readonly AgentTotals[];
}

/** The totals of a whole run, its sub-agents included; of all its turns, where it was suspended. */
export interface RunTotals extends Totals {
  /** The totals of each agent by itself. An entry leaves out the tokens and calls of its sub-agents, which have their own. */
  readonly byAgent: AgentTotals;
}

/** The whole of a tree. Sub-agents run within their agent, so that the time is the agent's. */
export const wholeOf = (byAgent: AgentTotals): RunTotals => ({
  usage: everywhere(byAgent, ({ usage }) => usage, addUsage),
  durationMs: byAgent.durationMs,
  inferenceCalls: everywhere(byAgent, ({ inferenceCalls }) => inferenceCalls, add),
  byModel: everywhere(byAgent, ({ byModel = [] }) => byModel, merged),
  toolCalls: everywhere(byAgent, ({ toolCalls }) => toolCalls, add),
  byAgent,
});

/** The list with one more entry: what has its name already is added up, sub-agents too. */
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

/** The list with one more entry: what has its name and provider already is added up. */
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

/** Two usages as one. A count that is no number is none: one bad answer must not spoil the sum. */
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
