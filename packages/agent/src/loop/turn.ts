import { type Message, message, type Reply, toolCallResponse, toolCallsOf } from "@suite/core";
import type { ToolCallResponsePart } from "@suite/core/messages";
import type { PendingCall } from "../pending/state.js";
import type { Resumed } from "../resume/open.js";
import { Batch } from "../tools/context.js";
import { answered, finalText, interrupted, openCallsAt } from "./history.js";
import type { SignedReply } from "./signed.js";

/**
 * The start of a run, which all its attempts share: its starting point, and the answers to the calls that were open
 * then.
 */
export class Start {
  readonly batch: Batch;
  /** The current attempt, or the last one. */
  turn: Turn | undefined;

  constructor(readonly resumed: Resumed | undefined) {
    this.batch = new Batch(resumed?.state.done, resumed?.state.calls);
  }

  attempt(messages: readonly Message[]): Turn {
    this.turn = new Turn(this, messages);
    return this.turn;
  }
}

/** One attempt at a run and its progress. A layer of the `agent` kind that retries starts a new attempt. */
export class Turn {
  round: number;
  /** The number of answers of the model. */
  replies: number;
  finishReason: string | undefined;
  /** The calls that are being settled. */
  batch: Batch | undefined;
  /** True if the model has called tools in this run. */
  called: boolean;
  /** The tools that layers removed from the last request, so that the model did not see them. */
  withheld: ReadonlySet<string> = new Set();
  /** The number of calls in the last reply if they ended the run. The text next to them is the answer. */
  lastCalls = 0;
  /** True if the loop has ended. */
  over = false;
  /** The model's last text, before any layer. `undefined` if the model was not called. */
  modelText: string | undefined;
  /** The signed parts of the last answers. */
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

  /** Stores the model's reply before any layer. */
  receive(reply: Reply): void {
    this.modelText = finalText(reply, Number.POSITIVE_INFINITY);
  }
}

/** The position of a run in a pending state. The run can continue from here. */
export interface Checkpoint {
  readonly round: number;
  readonly messages: readonly Message[];
  readonly calls: readonly PendingCall[];
  readonly done: readonly ToolCallResponsePart[];
}

/** Returns the checkpoint of a suspended run. */
export const suspendedAt = ({ round, messages, batch }: Turn): Checkpoint => ({
  round,
  messages,
  calls: batch?.waiting ?? [],
  done: [...(batch?.done.values() ?? [])],
});

/**
 * Returns the checkpoint of a run that failed or was aborted. Finished calls keep their results. A call that was
 * started is not started again: it counts as interrupted. Calls that were not started remain open.
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

/** Returns the history so far, with one answer to every tool call. */
export function complete({ messages, batch }: Turn): readonly Message[] {
  const at = batch === undefined ? undefined : openCallsAt(messages);
  if (batch === undefined || at === undefined || batch.done.size === 0) return answered(messages);
  const calls = toolCallsOf(messages[at] as Message);
  const responses = calls.map(({ id }) => batch.done.get(id) ?? toolCallResponse(id, interrupted, { isError: true }));
  return answered(messages.toSpliced(at + 1, 0, message("tool", responses)));
}
