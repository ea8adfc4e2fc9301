import { onAbort } from "../abort.js";
import type { Invocation } from "../contract/call.js";
import type { Run } from "../engine/run.js";
import type { PluginStack } from "../engine/stack.js";

/**
 * Returns the signal for the framework's request of one attempt. It aborts with the framework's signal, and also when a
 * layer gives up the attempt. The end of the run does not abort it: the framework handles that as without plugins.
 * Returns `undefined` if no plugin gives up attempts (`givesUp`); the framework's signal is then used.
 */
export function signalOfAttempt(
  { plugins }: PluginStack,
  invocation: Invocation<"model">,
  frameworkSignal: AbortSignal | undefined,
): AbortSignal | undefined {
  if (!plugins.some(({ givesUp }) => givesUp === true)) return undefined;
  const run = invocation.runtime as Run;
  const controller = new AbortController();
  onAbort(invocation.signal, () => {
    if (!run.ended && run.caller?.aborted !== true) controller.abort(invocation.signal.reason);
  });
  return frameworkSignal === undefined ? controller.signal : AbortSignal.any([frameworkSignal, controller.signal]);
}
