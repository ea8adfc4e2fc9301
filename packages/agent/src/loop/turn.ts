import type { Message, ToolCallResponsePart } from "@suite/core";
import type { Resumed } from "../pending/open.js";
import type { PendingCall } from "../pending/state.js";

/** How far one run is. Made anew for each run, and again when it is resumed. */
export class Turn {
  messages: readonly Message[] = [];
  round = 0;
  finishReason: string | undefined;
  /** Results of the batch at hand, by call id. */
  done: Map<string, ToolCallResponsePart> = new Map();
  /** What the run waits for. */
  waiting: readonly PendingCall[] = [];

  /** @param resumed what was decided; gone once the waiting batch has been settled by it. */
  constructor(public resumed?: Resumed) {
    if (resumed === undefined) return;
    const { state } = resumed;
    this.messages = state.messages;
    this.round = state.round;
    this.done = new Map(state.done.map((part) => [part.id, part]));
    this.waiting = state.calls;
  }
}
