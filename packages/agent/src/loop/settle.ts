import {
  type CallId,
  type EventDelta,
  message,
  type Pending,
  type Suspended,
  type ToolCallPart,
  toolCallsOf,
} from "@suite/core";
import { digestOf } from "../pending/digest.js";
import { type PendingCall, pendingOf } from "../pending/state.js";
import { runBatch } from "../tools/batch.js";
import { decisionsKey } from "../tools/decisions-key.js";
import { outerIdOf } from "../tools/inner.js";
import type { LoopContext } from "./context.js";
import { applyDecisions } from "./decided.js";
import type { Turn } from "./turn.js";

/**
 * Gets every call of the last message answered: by what was decided while the run waited, else by running it. The
 * history grows by one message with all answers, in the order of the calls; or the run is suspended.
 */
export async function* settleBatch(
  turn: Turn,
  context: LoopContext,
  call: CallId,
): AsyncGenerator<EventDelta, Suspended | undefined> {
  const asked = toolCallsOf(turn.messages.at(-1) ?? message("assistant", []));
  const ids = new Set(asked.map(({ id }) => id));
  const { resumed } = turn;
  if (resumed !== undefined) {
    turn.resumed = undefined;
    context.run.set(decisionsKey, resumed.decisions);
    applyDecisions(turn, ids, resumed.decisions, context.run, call);
  }
  // Decisions may have edited arguments.
  const calls = toolCallsOf(turn.messages.at(-1) ?? message("assistant", []));
  const waits = new Set(turn.waiting.map(({ id }) => outerIdOf(id, ids)));
  const due = calls.filter(({ id }) => !turn.done.has(id) && !waits.has(id));
  const results = yield* runBatch(due, context, call);
  // A decision counts for the call that it was made on, not for a later one to which a model gives the same id.
  context.run.set(decisionsKey, new Map());
  const waiting: PendingCall[] = [...turn.waiting];
  for (const [index, result] of results.entries()) {
    if ("response" in result) turn.done.set((due[index] as ToolCallPart).id, result.response);
    else waiting.push(...(await Promise.all(result.pending.map(handedOut))));
  }
  turn.waiting = waiting;
  if (waiting.length > 0) {
    const pending = waiting.map(pendingOf);
    context.run.notify({ type: "suspension", call, pending });
    return { suspended: pending };
  }
  const responses = calls.flatMap(({ id }) => turn.done.get(id) ?? []);
  turn.done = new Map();
  turn.messages = [...turn.messages, message("tool", responses)];
  return undefined;
}

async function handedOut({ reason, part, question, handedOutAt }: Pending): Promise<PendingCall> {
  const { id, name } = part;
  const args: unknown = JSON.parse(JSON.stringify(part.arguments ?? {}));
  return {
    id,
    name,
    arguments: args,
    reason,
    ...(question !== undefined && { question }),
    digest: await digestOf(name, args),
    handedOutAt: handedOutAt ?? Date.now(),
  };
}
