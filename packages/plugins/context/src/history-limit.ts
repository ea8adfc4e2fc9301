import type { Plugin } from "@suite/core";
import { count } from "@suite/kit/options";
import { type BoundOptions, bounded, bounding } from "./bounded.js";
import { checkOptions } from "./options.js";

/** The options of `historyLimit`. */
export interface HistoryLimitOptions extends BoundOptions {
  /** The maximum number of messages sent to the model, not counting the system prompt. */
  readonly messages: number;
}

/**
 * Limits the number of messages sent to the model. The newest are sent, always including the user's newest message, and
 * no tool call without its result. The run's history is not changed. What counts as one message depends on the
 * framework: in some, each result is one.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`; in a run `ERR_CONTEXT_TOO_LARGE`
 * @example
 * ```ts
 * createAgent({ plugins: [historyLimit({ messages: 40 })], … });
 * ```
 */
export function historyLimit(options: HistoryLimitOptions): Plugin {
  const checked = checkOptions("historyLimit", options, { ...bounding, messages: count }, ["messages"]);
  const { messages: maximum, name = `history-limit ${maximum}` } = options;
  return bounded({ ...checked, name, unit: "messages", maximum, sizeOf: () => 1, fixed: () => 0 });
}
