import { definePlugin, type Invocation, type Plugin, type ToolRequest } from "@suite/core";
import { callable, common, either, oneOf } from "@suite/core/options";
import { sleep } from "@suite/core/time";
import { Backoff, type BackoffOptions, backoffChecks } from "./backoff.js";
import { type ErrorFilter, errorFilter, isTransient, matcherOf, nameOf } from "./failure.js";
import { checkOptions, type ResilienceOptions } from "./options.js";
import { isInputRefusal, isSuites, isToolFailure, type ToolFilter, toolFilter, toolMatcher } from "./tool-failure.js";

/** The text that the model is told of a tool that has failed for the last time. */
export type ExhaustedToolText = (error: unknown, attempts: number, request: ToolRequest) => string;

/** The options of `retryTool`. Times are milliseconds. */
export interface RetryToolOptions extends ResilienceOptions, BackoffOptions {
  /** The tools that may run again: those that do no harm when they run twice. There is no default, since nobody else knows. */
  readonly tools: ToolFilter;
  /** The errors that are tried again. Default: all errors of the tool, and its time-outs; not what another plugin has refused. */
  readonly retryOn?: ErrorFilter;
  /**
   * The result when the last attempt has failed. `continue`, the default: the model is told so, and the run goes on.
   * `error`: the error, unchanged. A function: the text that the model is told.
   */
  readonly onExhausted?: "continue" | "error" | ExhaustedToolText;
}

/**
 * Tries a failed tool call again, after a wait, with the same arguments. Only tools that are named run again. A person's
 * refusal, arguments that were refused, an abort and a call that waits are never tried again; nor is a tool that had told
 * its progress before it failed. An approval holds for another attempt as the framework has it: what was approved, and
 * only if the tool is known to have ended.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * retryTool({ tools: ["search", "find_order"], maxAttempts: 3, initialDelay: 200 });
 * ```
 */
export function retryTool(options: RetryToolOptions): Plugin {
  checkOptions(
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
  const isMeant = toolMatcher(options.tools);
  const isWorthIt = matcherOf(options.retryOn, isToolsOwn);
  const enforced = mode === "enforce";

  /** Gives the wait before the next attempt; undefined where there is none. */
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
      if (!isMeant(invocation.request)) return callNext();
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
          const tell = typeof onExhausted === "function" ? onExhausted : exhausted;
          return invocation.respond({ value: tell(error, attempt, request), isError: true });
        }
        await sleep(wait, signal);
      }
    },
  });
}

/** The failure of an attempt: an error, or an answer that says so. */
interface Failed {
  readonly error: unknown;
  readonly answered: boolean;
}

/** Runs the tool once; undefined where it did not fail, or not before it had told its progress. */
async function attemptAt(invocation: Invocation<"tool">, callNext: () => Promise<void>): Promise<Failed | undefined> {
  try {
    await callNext();
    const { result } = invocation;
    if (result?.streaming === true) await result.ready();
    // What a layer further in has answered, a limit say, it has answered on purpose.
    if (result?.isError !== true || result.byLayer === true) return undefined;
    return { error: await result.final(), answered: true };
  } catch (error) {
    return { error, answered: false };
  }
}

/** Whether the tool has failed, and no plugin of the suite has decided so: that would decide the same again. */
const isToolsOwn = (error: unknown): boolean =>
  !isSuites(error) || error.code === "ERR_AGENT_TOOL_TIMEOUT" || isTransient(error);

function exhausted(error: unknown, attempts: number, { tool }: ToolRequest): string {
  const times = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return `${tool.name} failed after ${times}, the last with ${nameOf(error)}. Go on without it, or try other arguments.`;
}
