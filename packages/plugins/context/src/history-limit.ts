import type { Plugin } from "@suite/core";
import { count } from "@suite/core/options";
import { type BoundOptions, bounded, bounding } from "./bounded.js";
import { checkOptions } from "./options.js";

/** The options of `historyLimit`. */
export interface HistoryLimitOptions extends BoundOptions {
  /** The most messages that go to the model, those of the system prompt beside them. */
  readonly messages: number;
}

/**
 * Bounds the messages that go to the model: the newest go, the newest of the user always, and no tool call without its
 * result. The history of the run stays whole. Frameworks have messages of different sizes: in some, each result is one.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`; in a run `ERR_CONTEXT_TOO_LARGE`
 * @example
 * ```ts
 * createAgent({ plugins: [historyLimit({ messages: 40 })], … });
 * ```
 */
export function historyLimit(options: HistoryLimitOptions): Plugin {
  const plain = checkOptions("historyLimit", options, { ...bounding, messages: count }, ["messages"]);
  const { messages: maximum, name = `history-limit ${maximum}` } = options;
  return bounded({ ...plain, name, unit: "messages", maximum, sizeOf: () => 1, fixed: () => 0 });
}
