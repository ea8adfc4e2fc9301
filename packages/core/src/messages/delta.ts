import type { FinishReason, Part, Reply, Usage } from "./message.js";

/**
 * A delta is what streams: not parts but pieces of them. Pieces with the same `at` are one part, and parts stand in order of
 * first appearance. Contents of text and reasoning pieces are joined; of any other part the last piece counts.
 */
export type Delta = PartDelta | ArgumentsDelta | PartEndDelta | FinishDelta | EventDelta;

interface InPlace {
  /**
   * The adapter keeps this delta at its place in the provider's stream, whatever a stage holds back of other parts. So a stage
   * need not hold it behind them.
   */
  readonly inPlace?: true;
}

/** A piece of a part, or a part that came whole. */
export interface PartDelta extends InPlace {
  readonly type: "part";
  readonly at: string;
  readonly part: Part;
}

/** A piece of the JSON text of a tool call's arguments; the call itself came as a `part` with the same `at`. */
export interface ArgumentsDelta extends InPlace {
  readonly type: "arguments";
  readonly at: string;
  readonly json: string;
}

/**
 * A part's end: no piece with this `at` comes any more. A stage that holds text back releases it here, so that what
 * follows the part does not overtake it. Optional: a part without one ends with the answer.
 */
export interface PartEndDelta extends InPlace {
  readonly type: "part_end";
  readonly at: string;
}

/** The answer ended. Where several come, later fields replace earlier ones. */
export interface FinishDelta extends InPlace {
  readonly type: "finish";
  readonly usage?: Usage;
  readonly finishReason?: FinishReason;
  readonly response?: NonNullable<Reply["response"]>;
}

/** Audio, progress, a framework's own event: never part of the final value. */
export interface EventDelta extends InPlace {
  readonly type: "event";
  readonly name: string;
  readonly value: unknown;
}
