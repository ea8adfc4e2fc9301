import type { FinishReason, Part, Reply, Usage } from "./message.js";

/**
 * A streamed piece of an answer. Pieces with the same `at` form one part, and parts are ordered by first appearance.
 * Contents of text and reasoning pieces are joined. For any other part, the last piece counts.
 */
export type Delta = PartDelta | ArgumentsDelta | PartEndDelta | FinishDelta | EventDelta;

interface InPlace {
  /**
   * True if the adapter keeps this delta at its position in the provider's stream, even if a stage holds back other
   * parts. A stage then need not delay it.
   */
  readonly inPlace?: true;
}

/** A piece of a part, or a complete part. */
export interface PartDelta extends InPlace {
  readonly type: "part";
  readonly at: string;
  readonly part: Part;
}

/** A piece of the JSON text of a tool call's arguments. The call itself is a `part` with the same `at`. */
export interface ArgumentsDelta extends InPlace {
  readonly type: "arguments";
  readonly at: string;
  readonly json: string;
}

/**
 * The end of a part: no later piece has this `at`. A stage that holds text back releases it here, so that later parts
 * do not overtake it. Optional: a part without one ends with the answer.
 */
export interface PartEndDelta extends InPlace {
  readonly type: "part_end";
  readonly at: string;
}

/** The end of the answer. If there are several, later fields replace earlier ones. */
export interface FinishDelta extends InPlace {
  readonly type: "finish";
  readonly usage?: Usage;
  readonly finishReason?: FinishReason;
  readonly response?: NonNullable<Reply["response"]>;
}

/** Audio, progress or an event of a framework. Never part of the final value. */
export interface EventDelta extends InPlace {
  readonly type: "event";
  readonly name: string;
  readonly value: unknown;
}
