import type { Message, Values } from "@suite/core";
import type { PendingState } from "./pending/state.js";
import type { RunTotals } from "./totals/totals.js";

interface Common extends RunTotals {
  readonly runId: string;
  readonly rounds: number;
  /** The whole history: give it back, with the next question behind it, to go on. */
  readonly messages: readonly Message[];
  /** Values that plugins have left for the caller, under the keys that they export (`resultKey`). */
  readonly values: Pick<Values, "get">;
}

/** A run that ended. */
export interface CompletedResult<Output = unknown> extends Common {
  readonly status: "completed";
  /** The final answer: what was said after the last tool call that was run. */
  readonly text: string;
  /** Everything that was said, as the layers of the `agent` kind let it through. */
  readonly message: Message;
  /** The reason why the model ended its answer, in its own word; `max_rounds` where the limit of rounds was reached, `stop_condition` where a condition of `stopWhen` held. */
  readonly finishReason: string | undefined;
  /** The answer as the output schema has it, where there is one. Left out where a layer said something else in the model's place, or changed it so that it fits no more. */
  readonly output?: Output;
}

/** A run that waits. */
export interface SuspendedResult extends Common {
  readonly status: "suspended";
  readonly pending: PendingState;
}

export type AgentResult<Output = unknown> = CompletedResult<Output> | SuspendedResult;

/** The values of a run whose plugins left none. */
export const noValues: Pick<Values, "get"> = { get: () => undefined };
