import type { Run } from "@suite/core/adapter";
import type { Interrupt } from "../human/question.js";
import { isRecord } from "../messages/metadata.js";
import { type Agent, type AgentConfig, isCheckpointer, type Snapshot } from "./target.js";

/** The name under which a run stands in the metadata of LangGraph's checkpoint. */
const name = "suite";

/** The state of a run that survives its suspension. */
export interface SavedRun {
  readonly runId: string;
  readonly durable: Readonly<Record<string, unknown>>;
  /** The time at which its calls were handed out, in milliseconds since the epoch. */
  readonly handedOutAt: number;
}

/** A snapshot of where the graph stands; undefined where nothing is kept of it. */
export async function snapshotOf(agent: Agent, config: AgentConfig | undefined): Promise<Snapshot | undefined> {
  if (!isCheckpointer(agent.checkpointer) || config?.configurable?.thread_id === undefined) return undefined;
  return agent.graph.getState(config);
}

export const interruptsIn = (snapshot: Snapshot | undefined): readonly Interrupt[] =>
  snapshot?.tasks.flatMap(({ interrupts }) => interrupts) ?? [];

/** The saved state of the run that waits here. */
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
 * Saves the run with the checkpoint at which its graph waits, in the checkpoint's metadata: it goes on from there, maybe in
 * another process. The checkpoint itself stays as it is.
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
