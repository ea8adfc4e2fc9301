import { definePlugin, type Invocation, type Plugin, type ToolRequest } from "@suite/core";
import { callable, common, either, oneOf } from "@suite/kit/options";
import { sleep } from "@suite/kit/time";
import { Backoff, type BackoffOptions, backoffChecks } from "./backoff.js";
import { type ErrorFilter, errorFilter, isTransient, matcherOf, nameOf } from "./failure.js";
import { checkOptions, type ResilienceOptions } from "./options.js";
import { isInputRefusal, isSuites, isToolFailure, type ToolFilter, toolFilter, toolMatcher } from "./tool-failure.js";

/** Returns the result that the model receives when a tool has failed for the last time. */
export type ExhaustedToolText = (error: unknown, attempts: number, request: ToolRequest) => string;

/** The options of `retryTool`. Times are in milliseconds. */
export interface RetryToolOptions extends ResilienceOptions, BackoffOptions {
  /** The tools that are safe to run twice. Required, because only the caller knows them. */
  readonly tools: ToolFilter;
  /** The errors that are retried. Default: errors and time-outs of the tool, but not refusals by other plugins. */
  readonly retryOn?: ErrorFilter;
  /**
   * The result when the last attempt has failed. `continue` (default): the model receives an error result and the run
   * continues. `error`: the call fails with the unchanged error. A function returns the error text for the model.
   */
  readonly onExhausted?: "continue" | "error" | ExhaustedToolText;
}

/**
 * Retries a failed tool call after a delay, with the same arguments. Only the listed tools are retried. Never retried:
 * a refusal by a person, invalid arguments, an abort, a suspended call, and a tool that reported progress before it
 * failed. An approval covers another attempt only as far as the framework allows it: for the approved arguments, and
 * only if the tool is known to have ended.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * retryTool({ tools: ["search", "find_order"], maxAttempts: 3, initialDelay: 200 });
 * ```
 */
export function retryTool(options: RetryToolOptions): Plugin {
  options = checkOptions(
    "retryTool",
    options,
    {
      ...common,
      ...backoffChecks,
      tools: toolFilter,
      retryOn: errorFilter,
      onExhausted: either(oneOf("continue", "error"), callable),
    },
    ["tools"],
  );
  const { name = "retryTool", mode = "enforce", onExhausted = "continue" } = options;
  const backoff = new Backoff(options);
  const isSelected = toolMatcher(options.tools);
  const isWorthIt = matcherOf(options.retryOn, isErrorOfTool);
  const enforced = mode === "enforce";

  /** Reports the decision and returns the delay before the next attempt, or `undefined` if it is absent. */
  function decide(error: unknown, attempt: number, { runtime, call, request }: Invocation<"tool">): number | undefined {
    const wait = attempt < backoff.maxAttempts ? Math.round(backoff.delay(attempt, error)) : undefined;
    runtime.notify({
      type: "decision",
      plugin: name,
      decision: wait === undefined ? "exhausted" : "retry",
      enforced,
      call,
      place: request.tool.name,
      reason: `the attempt failed: ${nameOf(error)}`,
      details: { attempt, ...(wait !== undefined && { wait }) },
    });
    return wait;
  }

  return definePlugin({
    name,
    settings: { maxAttempts: backoff.maxAttempts, mode },
    async tool(invocation, callNext) {
      if (!isSelected(invocation.request)) return callNext();
      for (let attempt = 1; ; attempt++) {
        const failed = await attemptAt(invocation, callNext);
        if (failed === undefined) return;
        const { error } = failed;
        const pass = (): void => {
          if (!failed.answered) throw error;
        };
        const { signal } = invocation;
        if (!isToolFailure(error, signal) || isInputRefusal(error) || !isWorthIt(error)) return pass();
        const wait = decide(error, attempt, invocation);
        if (!enforced || (wait === undefined && onExhausted === "error")) return pass();
        if (wait === undefined) {
          const { request } = invocation;
          const exhaustedText = typeof onExhausted === "function" ? onExhausted : exhausted;
          return invocation.respond({ value: exhaustedText(error, attempt, request), isError: true });
        }
        await sleep(wait, signal);
      }
    },
  });
}

/** The failure of an attempt: a thrown error or an error result. */
interface Failed {
  readonly error: unknown;
  readonly answered: boolean;
}

/** Runs the tool once. Returns `undefined` if it did not fail, or failed after it had reported progress. */
async function attemptAt(invocation: Invocation<"tool">, callNext: () => Promise<void>): Promise<Failed | undefined> {
  try {
    await callNext();
    const { result } = invocation;
    if (result?.streaming === true) await result.ready();
    // An error result from an inner layer, such as a limit, is intentional.
    if (result?.isError !== true || result.byLayer === true) return undefined;
    return { error: await result.final(), answered: true };
  } catch (error) {
    return { error, answered: false };
  }
}

/** True if the tool itself failed. A refusal by a plugin of the suite would be the same again. */
const isErrorOfTool = (error: unknown): boolean =>
  !isSuites(error) || error.code === "ERR_AGENT_TOOL_TIMEOUT" || isTransient(error);

function exhausted(error: unknown, attempts: number, { tool }: ToolRequest): string {
  const times = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return `${tool.name} failed after ${times}, the last with ${nameOf(error)}. Continue without it, or try other arguments.`;
}
