import { type Message, message, type ToolCallResponsePart, toolCallResponse, toolCallsOf } from "@suite/core";
import type { PendingCall } from "../pending/state.js";
import { answered, interrupted, openCallsAt } from "./history.js";
import type { Turn } from "./turn.js";

/** A point from which a run can go on: what a pending state says of its history. */
export interface Checkpoint {
  readonly round: number;
  readonly messages: readonly Message[];
  readonly calls: readonly PendingCall[];
  readonly done: readonly ToolCallResponsePart[];
}

/** The checkpoint of a suspended run. */
export const suspendedAt = ({ round, messages, batch }: Turn): Checkpoint => ({
  round,
  messages,
  calls: batch?.waiting ?? [],
  done: [...(batch?.done.values() ?? [])],
});

/**
 * The checkpoint of a run that failed, or was aborted. Results that are there are kept, and what was begun is not begun
 * again: it counts as interrupted. What was not begun is still open.
 */
export function interruptedAt(turn: Turn): Checkpoint {
  const { batch, messages, replies: round } = turn;
  if (batch === undefined) return { round, messages: answered(messages), calls: [], done: [] };
  const done = new Map(batch.done);
  for (const id of batch.begun) {
    if (!done.has(id)) done.set(id, toolCallResponse(id, interrupted, { isError: true }));
  }
  const at = openCallsAt(messages);
  const calls = at === undefined ? [] : toolCallsOf(messages[at] as Message);
  if (calls.every(({ id }) => done.has(id))) return { round, messages: complete(turn), calls: [], done: [] };
  return { round, messages, calls: batch.waiting, done: [...done.values()] };
}

/** The history so far, with one answer to every tool call. */
export function complete({ messages, batch }: Turn): readonly Message[] {
  const at = batch === undefined ? undefined : openCallsAt(messages);
  if (batch === undefined || at === undefined || batch.done.size === 0) return answered(messages);
  const calls = toolCallsOf(messages[at] as Message);
  const responses = calls.map(({ id }) => batch.done.get(id) ?? toolCallResponse(id, interrupted, { isError: true }));
  return answered(messages.toSpliced(at + 1, 0, message("tool", responses)));
}
