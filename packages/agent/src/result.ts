import type { Message, Values } from "@suite/core";
import type { PendingState } from "./pending/state.js";
import type { RunTotals } from "./totals/totals.js";

interface Common extends RunTotals {
  readonly runId: string;
  readonly rounds: number;
  /** The whole history. To continue the conversation, append the next question and pass it as input. */
  readonly messages: readonly Message[];
  /** The values that plugins have set for the caller, under the keys that they export (`resultKey`). */
  readonly values: Pick<Values, "get">;
}

/** The result of a run that completed. */
export interface CompletedResult<Output = unknown> extends Common {
  readonly status: "completed";
  /** The final answer: the text after the last tool call that was run. */
  readonly text: string;
  /** All content of the assistant, after the layers of the `agent` kind. */
  readonly message: Message;
  /**
   * The model's reason for ending its answer, as the provider reports it. `max_rounds` if the round limit was reached,
   * `stop_condition` if `stopWhen` ended the run.
   */
  readonly finishReason: string | undefined;
  /**
   * The answer parsed with the output schema. Missing if a layer replaced the answer, or changed it so that it no
   * longer matches.
   */
  readonly output?: Output;
}

/** The result of a run that is suspended. */
export interface SuspendedResult extends Common {
  readonly status: "suspended";
  readonly pending: PendingState;
}

/** The result of a run: it has ended, or it is suspended until a person decides or a tool that runs elsewhere returns. */
export type AgentResult<Output = unknown> = CompletedResult<Output> | SuspendedResult;

/** The values of a run whose plugins left none. */
export const noValues: Pick<Values, "get"> = { get: () => undefined };
