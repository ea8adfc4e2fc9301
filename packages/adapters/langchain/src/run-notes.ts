import { type ApprovalRequest, type Pending, type Reply, type RuntimeContext, stateKey, type Usage } from "@suite/core";
import { sumUsage } from "@suite/core/framework";

/** Notes of one run of an agent, kept while it is at work. */
export interface RunNotes {
  /** Whether the run is that of an agent, and not of one call alone. */
  ofAgent: boolean;
  /** The reply that the model gave last. */
  reply: Reply | undefined;
  /** Tokens of all its rounds. */
  usage: Usage | undefined;
  /** The pending calls of each interrupt of the graph, by the interrupt's id. */
  readonly waiting: Map<string, readonly Pending[]>;
  /** The answers of layers in a person's place, by the interrupt's id. */
  readonly answers: Map<string, unknown>;
  /** The calls that people were shown to approve them, by the id of the call. */
  readonly shown: Map<string, NonNullable<ApprovalRequest["approved"]>>;
  /** The calls that a person has refused while the run waited, by the id of the call. */
  readonly refused: Set<string>;
  /** Tool calls that have not ended. */
  readonly tools: Set<Promise<unknown>>;
}

export const notesKey = stateKey<RunNotes>("langchain.notes", () => ({
  ofAgent: false,
  reply: undefined,
  usage: undefined,
  waiting: new Map(),
  answers: new Map(),
  shown: new Map(),
  refused: new Set(),
  tools: new Set(),
}));

/** The time that an abort, at most, waits for the layers of tools, in milliseconds. */
const LEAVE_MS = 250;

/** Waits for tools at an abort. LangGraph leaves them behind: their layers, which have heard of it, end before the call that they are in. */
export async function toolsEnded(runtime: RuntimeContext): Promise<void> {
  const { tools } = runtime.get(notesKey);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LEAVE_MS);
  });
  await Promise.race([Promise.allSettled(tools), late]);
  clearTimeout(timer);
}

/** Notes the model's reply, and counts its tokens. */
export function noteReply(runtime: RuntimeContext, reply: Reply): void {
  const notes = runtime.get(notesKey);
  notes.reply = reply;
  if (reply.usage !== undefined)
    notes.usage = notes.usage === undefined ? reply.usage : sumUsage(notes.usage, reply.usage);
}

/** The fields of an agent's reply beside its message. */
export function finishOf(runtime: RuntimeContext): Omit<Reply, "message"> {
  const { reply, usage } = runtime.get(notesKey);
  return {
    ...(usage && { usage }),
    ...(reply?.finishReason !== undefined && { finishReason: reply.finishReason }),
    ...(reply?.response && { response: reply.response }),
  };
}
