import {
  type Awaitable,
  type Delta,
  definePlugin,
  type Invocation,
  message,
  type Outcome,
  type Plugin,
  type Reply,
} from "@suite/core";
import { callable, common, either, flag, oneOf } from "@suite/core/options";
import { sleep } from "@suite/core/time";
import { Backoff, type BackoffOptions, backoffChecks } from "./backoff.js";
import { type ErrorFilter, errorFilter, isFinal, isTransient, matcherOf, nameOf } from "./failure.js";
import { checkOptions, type ResilienceOptions } from "./options.js";

/** The answer of a function in place of a model that could not be asked. */
export type ExhaustedAnswer = (error: unknown, attempts: number) => Awaitable<string>;

/** The options of `retryModel`. Times are milliseconds. */
export interface RetryModelOptions extends ResilienceOptions, BackoffOptions {
  /** The errors that are tried again. Default: those that may be over in a moment, `isTransient`. */
  readonly retryOn?: ErrorFilter;
  /**
   * The answer when the last attempt has failed. `error`, the default: its error, unchanged. `continue`: an answer that
   * says so, by which the run ends well. A function: the text of that answer.
   */
  readonly onExhausted?: "error" | "continue" | ExhaustedAnswer;
  /**
   * Whether a streamed answer is held back until it is complete, so that one that breaks off in the middle is tried again as
   * well. Its reader then has it all at once. Default: false.
   */
  readonly hold?: boolean;
}

/**
 * Tries a failed model call again, after a wait. Nothing of a failed attempt reaches the reader of a stream: it is tried
 * again as long as nothing was shown. What breaks off later fails, since what was shown cannot be taken back; with `hold`
 * nothing is shown before the answer is complete.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * retryModel({ maxAttempts: 4, initialDelay: 500, maxDelay: 10_000 });
 * ```
 */
export function retryModel(options: RetryModelOptions = {}): Plugin {
  options = checkOptions("retryModel", options, {
    ...common,
    ...backoffChecks,
    retryOn: errorFilter,
    onExhausted: either(oneOf("error", "continue"), callable),
    hold: flag,
  });
  const { name = "retryModel", mode = "enforce", onExhausted = "error", hold = false } = options;
  const backoff = new Backoff(options);
  const isWorthIt = matcherOf(options.retryOn, isTransient);
  const enforced = mode === "enforce";

  /** Gives the wait before the next attempt; undefined where there is none. */
  function decide(error: unknown, attempt: number, { runtime, call }: Invocation<"model">): number | undefined {
    const wait = attempt < backoff.maxAttempts ? Math.round(backoff.delay(attempt, error)) : undefined;
    const details = { attempt, ...(wait !== undefined && { wait }) };
    const decision = wait === undefined ? "exhausted" : "retry";
    const reason = `the attempt failed: ${nameOf(error)}`;
    runtime.notify({ type: "decision", plugin: name, decision, enforced, call, place: "model", reason, details });
    return wait;
  }

  return definePlugin({
    name,
    settings: { maxAttempts: backoff.maxAttempts, hold, mode },
    async model(invocation, callNext) {
      for (let attempt = 1; ; attempt++) {
        try {
          await callNext();
          const { result } = invocation;
          if (result?.streaming === true) await (hold && enforced ? complete(result) : result.ready());
          return;
        } catch (error) {
          if (isFinal(error, invocation.signal) || !isWorthIt(error)) throw error;
          const wait = decide(error, attempt, invocation);
          if (!enforced || (wait === undefined && onExhausted === "error")) throw error;
          if (wait === undefined) {
            return invocation.respond({ value: await answerOf(onExhausted, error, attempt) });
          }
          await sleep(wait, invocation.signal);
        }
      }
    },
  });
}

/** Reads an answer to its end; those who are outside are given it again. */
async function complete(outcome: Outcome<Delta, Reply>): Promise<void> {
  try {
    await outcome.final();
  } catch (error) {
    if ((await outcome.settled).status !== "suspended") throw error;
  }
}

async function answerOf(
  onExhausted: RetryModelOptions["onExhausted"],
  error: unknown,
  attempts: number,
): Promise<Reply> {
  const text =
    typeof onExhausted === "function"
      ? await onExhausted(error, attempts)
      : `The model could not be asked: ${attempts} attempt${attempts === 1 ? "" : "s"} failed, the last with ${nameOf(error)}.`;
  return { message: message("assistant", text) };
}
