import type { Run } from "@suite/core/adapter";
import { isRecord } from "@suite/kit";
import type { Interrupt } from "../human/question.js";
import { type Agent, type AgentConfig, isCheckpointer, type Snapshot } from "./target.js";

/** The name of the run's field in the metadata of LangGraph's checkpoint. */
const name = "suite";

/** The state of a run that survives its suspension. */
export interface SavedRun {
  readonly runId: string;
  readonly durable: Readonly<Record<string, unknown>>;
  /** The time at which its calls were handed out, in milliseconds since the epoch. */
  readonly handedOutAt: number;
}

/** Returns a snapshot of the graph. Returns `undefined` if the agent has no checkpointer or the call has no thread. */
export async function snapshotOf(agent: Agent, config: AgentConfig | undefined): Promise<Snapshot | undefined> {
  if (!isCheckpointer(agent.checkpointer) || config?.configurable?.thread_id === undefined) return undefined;
  return agent.graph.getState(config);
}

export const interruptsIn = (snapshot: Snapshot | undefined): readonly Interrupt[] =>
  snapshot?.tasks.flatMap(({ interrupts }) => interrupts) ?? [];

/** Returns the saved state of the suspended run. */
export function savedIn(snapshot: Snapshot | undefined): SavedRun | undefined {
  const saved = snapshot?.metadata?.[name];
  if (!isRecord(saved) || typeof saved.runId !== "string") return undefined;
  return {
    runId: saved.runId,
    durable: isRecord(saved.durable) ? saved.durable : {},
    handedOutAt: typeof saved.handedOutAt === "number" ? saved.handedOutAt : Date.now(),
  };
}

/**
 * Saves the run in the metadata of the checkpoint at which its graph waits. It is resumed from there, possibly in
 * another process. The checkpoint itself is unchanged.
 */
export async function saveRun(agent: Agent, config: AgentConfig | undefined, run: Run): Promise<void> {
  const { checkpointer } = agent;
  if (!isCheckpointer(checkpointer) || config?.configurable?.thread_id === undefined) return;
  try {
    const { configurable } = config;
    const tuple = await checkpointer.getTuple({ configurable: { checkpoint_ns: "", ...configurable } });
    if (tuple === undefined) return;
    const { thread_id, checkpoint_ns = "" } = configurable as { thread_id: unknown; checkpoint_ns?: unknown };
    const parent = tuple.parentConfig ?? { configurable: { thread_id, checkpoint_ns } };
    const saved: SavedRun = { runId: run.runId, durable: run.save(), handedOutAt: Date.now() };
    await checkpointer.put(parent, tuple.checkpoint, { ...tuple.metadata, [name]: saved }, {});
  } catch (error) {
    run.fault("saving a suspended run", error);
  }
}
