import {
  type Message,
  message,
  type Reply,
  type ToolCallResponsePart,
  toolCallResponse,
  toolCallsOf,
} from "@suite/core";
import type { PendingCall } from "../pending/state.js";
import type { Resumed } from "../resume/open.js";
import { Batch } from "../tools/context.js";
import { answered, finalText, interrupted, openCallsAt } from "./history.js";
import type { SignedReply } from "./signed.js";

/** The start of a run, which all its attempts share: where it begins, and what became of the calls that were open then. */
export class Start {
  readonly batch: Batch;
  /** The attempt at work, or the last one. */
  turn: Turn | undefined;

  constructor(readonly resumed: Resumed | undefined) {
    this.batch = new Batch(resumed?.state.done, resumed?.state.calls);
  }

  attempt(messages: readonly Message[]): Turn {
    this.turn = new Turn(this, messages);
    return this.turn;
  }
}

/** One attempt at a run, and how far it is: a layer of the `agent` kind that asks again starts a new one. */
export class Turn {
  round: number;
  /** Rounds in which the model has answered. */
  replies: number;
  finishReason: string | undefined;
  /** The calls that are being settled. */
  batch: Batch | undefined;
  /** The model has called tools in this run. */
  called: boolean;
  /** Tools that layers took off the last request: the model was not offered them. */
  withheld: ReadonlySet<string> = new Set();
  /** The number of calls of the last reply, where that ended the run: what was said beside them is the answer. */
  lastCalls = 0;
  /** The loop has come to its end. */
  over = false;
  /** The text of the last round as the model itself said it, before any layer; undefined where it was not asked. */
  modelText: string | undefined;
  /** The signed parts of the answers in the last round. */
  signed: SignedReply[] = [];

  constructor(
    readonly start: Start,
    public messages: readonly Message[],
  ) {
    const round = start.resumed?.state.round ?? 0;
    this.round = round;
    this.replies = round;
    this.called = round > 0;
    if (start.resumed !== undefined) this.batch = start.batch;
  }

  /** The model itself has said this. */
  hears(reply: Reply): void {
    this.modelText = finalText(reply, Number.POSITIVE_INFINITY);
  }
}

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
