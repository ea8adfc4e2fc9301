import type { ApprovalRequest, Message, Reply, ToolCallResponsePart } from "@suite/core";
import type { Decision } from "../pending/decisions.js";
import type { Resumed } from "../pending/open.js";
import type { PendingCall, PendingState } from "../pending/state.js";
import { finalText } from "../result.js";
import type { Edit } from "./history.js";

/** A call that a person has approved: what is to run, and what they were shown. */
export interface ApprovedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly shown: NonNullable<ApprovalRequest["approved"]>;
}

/** The tool calls of one reply, and what has become of each so far. */
export class Batch {
  /** Results that are there, by call id. */
  readonly done: Map<string, ToolCallResponsePart>;
  /** What the run waits for. */
  waiting: readonly PendingCall[];
  /** What a person has approved and has not run yet, by call id: each counts for the call that it was made on, once. */
  readonly approved: Map<string, ApprovedCall> = new Map();
  /** Decisions on calls of inner agents that these have not been given yet, by pending id. */
  readonly decisions: Map<string, Decision> = new Map();
  /** Calls as a person edited them, by call id. */
  readonly edited: Map<string, Edit> = new Map();
  /** Calls whose tools were begun: whatever becomes of the run, they are not begun again. */
  readonly begun: Set<string> = new Set();
  /** Inner agents that refused to go on, and used nothing up, by call id. */
  readonly refusals: Map<string, { readonly error: unknown; readonly held: PendingState }> = new Map();
  /** Resolves when the run of an inner agent is over, by call id. */
  readonly leaving: Map<string, Promise<void>> = new Map();
  /** What inner agents were asked, by call id. */
  readonly prompts: Map<string, string> = new Map();

  constructor(done: readonly ToolCallResponsePart[] = [], waiting: readonly PendingCall[] = []) {
    this.done = new Map(done.map((part) => [part.id, part]));
    this.waiting = waiting;
  }
}

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
  /** How many calls of the last reply were not run, since the limit of rounds was reached. */
  overLimit = 0;
  /** The loop has come to its end. */
  over = false;
  /** The text of the last round as the model itself said it, before any layer; undefined where it was not asked. */
  modelText: string | undefined;

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
