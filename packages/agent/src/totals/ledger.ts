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

/** A ledger as it travels in a pending state. */
interface Stored {
  readonly usage: Usage;
  readonly inferenceCalls: number;
  /** The totals by model; absent in states of an earlier version. */
  readonly byModel?: readonly ModelTotals[];
  readonly toolCalls: number;
  readonly durationMs: number;
  /** The part of `durationMs` in which sub-agents ran. */
  readonly subAgentsMs: number;
  readonly ended: readonly AgentTotals[];
  /** Suspended sub-agents, by run. */
  readonly waiting: Readonly<Record<string, AgentTotals>>;
}

/** A model by the name that it was asked under. */
interface AskedModel {
  readonly model: string;
  readonly provider?: string | undefined;
}

/** The account of what a run of an agent has used and done so far, suspensions left out. It hangs on the ledger of the run round it. */
export class Ledger {
  /** The usage of the agent's own model calls. */
  usage: Usage;
  inferenceCalls: number;
  #byModel: readonly ModelTotals[];
  toolCalls: number;
  readonly #time: Stopwatch;
  readonly #subAgentsTime: Stopwatch;
  /** Sub-agents that have ended, by name. */
  #ended: readonly AgentTotals[];
  /** Sub-agents that have not, by run: the id of a run is the same before and after a suspension. */
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

  /** A turn of the run begins. */
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

  /** The turn has ended. Only the first time counts. */
  end(suspended: boolean): void {
    this.#close?.(suspended);
    this.#close = undefined;
  }

  /** A model is asked. */
  asked({ model, provider }: AskedModel): void {
    this.inferenceCalls++;
    this.#count({ model, provider, usage: noUsage, inferenceCalls: 1 });
  }

  /** A model call told what it used. */
  add(usage: Usage, { model, provider }: AskedModel): void {
    this.usage = addUsage(this.usage, usage);
    this.#count({ model, provider, usage, inferenceCalls: 0 });
  }

  #count({ provider, ...rest }: Omit<ModelTotals, "provider"> & AskedModel): void {
    this.#byModel = withModel(this.#byModel, provider === undefined ? rest : { ...rest, provider });
  }

  /** The totals of this agent, with its sub-agents' below. */
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

  /** A sub-agent begins, or goes on. */
  enter(runId: string, subAgent: Ledger): void {
    this.#open.set(runId, subAgent);
    this.#subAgentsTime.start();
  }

  /** A sub-agent has ended, or waits. */
  leave(runId: string, subAgent: Ledger, suspended: boolean): void {
    this.#subAgentsTime.stop();
    if (suspended) return;
    this.#open.delete(runId);
    this.#ended = withAgent(this.#ended, subAgent.totals);
  }
}

/**
 * Whether a run is of an agent of this package: the one round an agent may be a framework's, or of another copy, with its own
 * totals. It stands in the run: a WeakSet that outlives the runs would cost the garbage collector dearly.
 */
const begunKey = stateKey("agent.begun", () => false);

const ledgerKey = stateKey("agent.totals", () => new Ledger(), {
  save: (ledger) => ledger.stored,
  load: (stored) => new Ledger(stored as Stored),
});

/** The ledger of a run. */
export const ledgerOf = (runtime: RuntimeContext): Ledger => runtime.get(ledgerKey);

/** Counts the time in which at least one of those who started it has not stopped it. */
export class Stopwatch {
  #running = 0;
  #since = 0;
  #before: number;

  /** @param before milliseconds that are counted already. */
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
