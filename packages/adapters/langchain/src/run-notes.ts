import { type Reply, type RuntimeContext, stateKey, type Usage } from "@suite/core";
import type { ApprovalRequest, Pending } from "@suite/core/contract";
import { sumUsage } from "@suite/core/framework";
import { inTime } from "@suite/kit/time";

/** The state of an agent's run while it is running. */
export interface RunNotes {
  /** True for the run of an agent, false for the run of a single call. */
  ofAgent: boolean;
  /** The last reply of the model. */
  reply: Reply | undefined;
  /** The tokens of all rounds. */
  usage: Usage | undefined;
  /** The pending calls of each interrupt of the graph, by the interrupt's id. */
  readonly waiting: Map<string, readonly Pending[]>;
  /** The answers of layers that replace a person's, by the interrupt's id. */
  readonly answers: Map<string, unknown>;
  /** The calls that were shown to a person for approval, by the id of the call. */
  readonly shownCalls: Map<string, NonNullable<ApprovalRequest["approved"]>>;
  /** The calls that a person refused while the run waited, by the id of the call. */
  readonly refused: Set<string>;
  /** The running tool calls. */
  readonly tools: Set<Promise<unknown>>;
}

export const notesKey = stateKey<RunNotes>("langchain.notes", () => ({
  ofAgent: false,
  reply: undefined,
  usage: undefined,
  waiting: new Map(),
  answers: new Map(),
  shownCalls: new Map(),
  refused: new Set(),
  tools: new Set(),
}));

/** The maximum time in milliseconds that an abort waits for the layers of tools. */
const LEAVE_MS = 250;

/**
 * Waits for running tools after an abort. LangGraph abandons them. Their layers, which have received the abort, end
 * before the call that contains them.
 */
export async function toolsEnded(runtime: RuntimeContext): Promise<void> {
  const { tools } = runtime.get(notesKey);
  await inTime(Promise.allSettled(tools), LEAVE_MS);
}

/** Stores the model's reply and counts its tokens. */
export function noteReply(runtime: RuntimeContext, reply: Reply): void {
  const notes = runtime.get(notesKey);
  notes.reply = reply;
  if (reply.usage !== undefined)
    notes.usage = notes.usage === undefined ? reply.usage : sumUsage(notes.usage, reply.usage);
}

/** Returns the fields of an agent's reply without its message. */
export function finishOf(runtime: RuntimeContext): Omit<Reply, "message"> {
  const { reply, usage } = runtime.get(notesKey);
  return {
    ...(usage && { usage }),
    ...(reply?.finishReason !== undefined && { finishReason: reply.finishReason }),
    ...(reply?.response && { response: reply.response }),
  };
}
