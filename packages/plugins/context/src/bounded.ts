import {
  definePlugin,
  type Message,
  MiddlewareTermination,
  type ModelRequest,
  override,
  type Plugin,
} from "@suite/core";
import { type Check, common, oneOf } from "@suite/kit/options";
import { ContextError } from "./errors.js";
import { historyStart, keptMessages, newestWithin } from "./newest.js";
import type { ContextOptions } from "./options.js";

/** The options of a limit on the model's input. */
export interface BoundOptions extends ContextOptions {
  /**
   * Behavior if the minimum is too large: the user's newest message, and the newest step with all its results.
   * `error` (default): the run fails (`ERR_CONTEXT_TOO_LARGE`). `send`: the minimum is sent. Both are reported.
   */
  readonly whenTooLarge?: "error" | "send";
}

/** The checks of these options. */
export const bounding: Readonly<Record<string, Check>> = { ...common, whenTooLarge: oneOf("error", "send") };

/** The configuration of a limit. */
export interface Bound extends BoundOptions {
  readonly name: string;
  /** The unit, for messages and decisions: `messages`, `tokens`, … */
  readonly unit: string;
  readonly maximum: number;
  sizeOf(message: Message): number;
  /** Returns the size of the parts that are always sent: the system prompt and the tools. */
  fixed(request: ModelRequest, system: readonly Message[]): number;
  /** Changes the messages before they are measured. Counts the changes. */
  shorten?(messages: readonly Message[]): { readonly messages: readonly Message[]; readonly shortened: number };
}

/** Creates a plugin that sends only the newest messages within a limit to the model. The history is not changed. */
export function bounded(bound: Bound): Plugin {
  const { name, unit, maximum, mode = "enforce", whenTooLarge = "error" } = bound;
  const enforced = mode === "enforce";
  return definePlugin({
    name,
    single: true,
    settings: { [unit]: maximum, mode, whenTooLarge },
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      // Plugins limit their model calls themselves.
      if (request.purpose !== undefined) return callNext();
      const { messages, shortened } = bound.shorten?.(request.messages) ?? { messages: request.messages, shortened: 0 };
      const first = historyStart(messages);
      const remaining = maximum - bound.fixed(request, messages.slice(0, first));
      const newest = newestWithin(messages, first, remaining, bound.sizeOf);
      if (!newest.fits) {
        runtime.notify({ type: "limit", plugin: name, limit: `context_${unit}`, maximum, enforced, call });
        if (enforced && whenTooLarge === "error") throw tooLarge(unit, maximum);
      }
      const dropped = newest.from - first - (newest.question === undefined ? 0 : 1);
      if (dropped + shortened === 0) return callNext();
      const details = { dropped, ...(bound.shorten !== undefined && { shortened }) };
      runtime.notify({ type: "decision", plugin: name, decision: "trimmed", enforced, call, details });
      if (enforced) invocation.request = override(request, { messages: keptMessages(messages, first, newest) });
      await callNext();
    },
  });
}

const tooLarge = (unit: string, maximum: number): ContextError =>
  MiddlewareTermination.mark(
    new ContextError(
      "ERR_CONTEXT_TOO_LARGE",
      `The newest message and step alone exceed the maximum of ${maximum} ${unit}. Raise the limit, or shorten tool results.`,
    ),
    "run",
  );
