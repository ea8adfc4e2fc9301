import { type RuntimeContext, stateKey, type Usage } from "@suite/core";
import {
  type AgentTotals,
  addUsage,
  type ModelTotals,
  noUsage,
  type RunTotals,
  wholeOf,
  withAgent,
  withModel,
} from "./totals.js";

/** The stored form of a ledger in a pending state. */
interface Stored {
  readonly usage: Usage;
  readonly inferenceCalls: number;
  /** The totals by model. Missing in states of an earlier version. */
  readonly byModel?: readonly ModelTotals[];
  readonly toolCalls: number;
  readonly durationMs: number;
  /** The part of `durationMs` during which sub-agents ran. */
  readonly subAgentsMs: number;
  readonly ended: readonly AgentTotals[];
  /** Suspended sub-agents, by run. */
  readonly waiting: Readonly<Record<string, AgentTotals>>;
}

/** A model by the name in the request. */
interface RequestedModel {
  readonly model: string;
  readonly provider?: string | undefined;
}

/**
 * Counts the usage and the work of an agent's run without its suspended time. It is linked to the ledger of the outer
 * run.
 */
export class Ledger {
  /** The usage of the agent's model calls, without sub-agents. */
  usage: Usage;
  inferenceCalls: number;
  #byModel: readonly ModelTotals[];
  toolCalls: number;
  readonly #time: Stopwatch;
  readonly #subAgentsTime: Stopwatch;
  /** Sub-agents that have ended, by name. */
  #ended: readonly AgentTotals[];
  /** Sub-agents that have not ended, by run. The id of a run stays the same after a suspension. */
  readonly #open: Map<string, { readonly totals: AgentTotals }>;
  #agent = "";
  #close: ((suspended: boolean) => void) | undefined;

  constructor(stored?: Stored) {
    this.usage = stored?.usage ?? noUsage;
    this.inferenceCalls = stored?.inferenceCalls ?? 0;
    this.#byModel = stored?.byModel ?? [];
    this.toolCalls = stored?.toolCalls ?? 0;
    this.#time = new Stopwatch(stored?.durationMs);
    this.#subAgentsTime = new Stopwatch(stored?.subAgentsMs);
    this.#ended = stored?.ended ?? [];
    this.#open = new Map(Object.entries(stored?.waiting ?? {}).map(([runId, totals]) => [runId, { totals }]));
  }

  /** Begins a turn of the run. */
  begin(runtime: RuntimeContext): void {
    const { runId, agent, parent } = runtime;
    runtime.set(begunKey, true);
    this.#agent = agent?.name ?? "";
    const outer = parent?.get(begunKey) === true ? parent.get(ledgerKey) : undefined;
    this.#time.start();
    outer?.enter(runId, this);
    this.#close = (suspended) => {
      this.#time.stop();
      outer?.leave(runId, this, suspended);
    };
  }

  /** Ends the turn. Only the first call has an effect. */
  end(suspended: boolean): void {
    this.#close?.(suspended);
    this.#close = undefined;
  }

  /** Counts a model call. */
  recordRequest({ model, provider }: RequestedModel): void {
    this.inferenceCalls++;
    this.#count({ model, provider, usage: noUsage, inferenceCalls: 1 });
  }

  /** Adds the usage that a model call reported. */
  add(usage: Usage, { model, provider }: RequestedModel): void {
    this.usage = addUsage(this.usage, usage);
    this.#count({ model, provider, usage, inferenceCalls: 0 });
  }

  #count({ provider, ...rest }: Omit<ModelTotals, "provider"> & RequestedModel): void {
    this.#byModel = withModel(this.#byModel, provider === undefined ? rest : { ...rest, provider });
  }

  /** The totals of this agent, with those of its sub-agents nested in it. */
  get totals(): AgentTotals {
    const { usage, inferenceCalls, toolCalls } = this;
    const durationMs = this.#time.milliseconds;
    return {
      agent: this.#agent,
      runs: 1,
      usage,
      durationMs,
      selfDurationMs: Math.max(0, durationMs - this.#subAgentsTime.milliseconds),
      inferenceCalls,
      byModel: this.#byModel,
      toolCalls,
      subAgents: [...this.#open.values()].map(({ totals }) => totals).reduce(withAgent, this.#ended),
    };
  }

  get total(): RunTotals {
    return wholeOf(this.totals);
  }

  get stored(): Stored {
    const { usage, inferenceCalls, toolCalls } = this;
    return {
      usage,
      inferenceCalls,
      byModel: this.#byModel,
      toolCalls,
      durationMs: this.#time.milliseconds,
      subAgentsMs: this.#subAgentsTime.milliseconds,
      ended: this.#ended,
      waiting: Object.fromEntries([...this.#open].map(([runId, { totals }]) => [runId, totals])),
    };
  }

  /** Called when a sub-agent begins or resumes. */
  enter(runId: string, subAgent: Ledger): void {
    this.#open.set(runId, subAgent);
    this.#subAgentsTime.start();
  }

  /** Called when a sub-agent ends or is suspended. */
  leave(runId: string, subAgent: Ledger, suspended: boolean): void {
    this.#subAgentsTime.stop();
    if (suspended) return;
    this.#open.delete(runId);
    this.#ended = withAgent(this.#ended, subAgent.totals);
  }
}

/**
 * True in runs of agents of this package. The outer run may belong to a framework or to another copy of this package
 * with separate totals. Stored in the run, because a WeakSet that outlives runs is expensive for the garbage collector.
 */
const begunKey = stateKey("agent.begun", () => false);

const ledgerKey = stateKey("agent.totals", () => new Ledger(), {
  save: (ledger) => ledger.stored,
  load: (stored) => new Ledger(stored as Stored),
});

/** Returns the ledger of a run. */
export const ledgerOf = (runtime: RuntimeContext): Ledger => runtime.get(ledgerKey);

/** Measures the time during which at least one caller is running it. */
export class Stopwatch {
  #running = 0;
  #since = 0;
  #before: number;

  /** @param before milliseconds that are already counted. */
  constructor(before = 0) {
    this.#before = before;
  }

  get milliseconds(): number {
    return this.#before + (this.#running > 0 ? performance.now() - this.#since : 0);
  }

  start(): void {
    if (this.#running++ === 0) this.#since = performance.now();
  }

  stop(): void {
    this.#before = this.milliseconds;
    this.#since = performance.now();
    this.#running--;
  }
}
