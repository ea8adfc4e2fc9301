import type { Message, Reply } from "@suite/core";
import { finalText } from "../result.js";
import type { Resumed } from "../resume/open.js";
import { Batch } from "../tools/calls.js";

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
