import { onAbort } from "../abort.js";
import type { Invocation } from "../contract/call.js";
import type { Run } from "../engine/run.js";
import type { PluginStack } from "../engine/stack.js";

/**
 * The signal for the framework's own request of one attempt: the framework's, and besides it aborts when a layer gives the
 * attempt up, so that the request is cancelled. Of the end of the run the framework learns as it does without plugins.
 * Undefined where no plugin gives anything up (`givesUp`): the framework's own then stays.
 */
export function signalOfAttempt(
  { plugins }: PluginStack,
  invocation: Invocation<"model">,
  own: AbortSignal | undefined,
): AbortSignal | undefined {
  if (!plugins.some(({ givesUp }) => givesUp === true)) return undefined;
  const run = invocation.runtime as Run;
  const controller = new AbortController();
  onAbort(invocation.signal, () => {
    if (!run.ended && run.caller?.aborted !== true) controller.abort(invocation.signal.reason);
  });
  return own === undefined ? controller.signal : AbortSignal.any([own, controller.signal]);
}
