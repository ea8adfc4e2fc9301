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
import { callable, common, either, flag, oneOf } from "@suite/kit/options";
import { sleep } from "@suite/kit/time";
import { Backoff, type BackoffOptions, backoffChecks } from "./backoff.js";
import { type ErrorFilter, errorFilter, isFinal, isTransient, matcherOf, nameOf } from "./failure.js";
import { checkOptions, type ResilienceOptions } from "./options.js";

/** Returns the text of an answer when all attempts have failed. */
export type ExhaustedAnswer = (error: unknown, attempts: number) => Awaitable<string>;

/** The options of `retryModel`. Times are in milliseconds. */
export interface RetryModelOptions extends ResilienceOptions, BackoffOptions {
  /** The errors that are retried. Default: transient errors (`isTransient`). */
  readonly retryOn?: ErrorFilter;
  /**
   * The outcome when the last attempt has failed. `error` (default): the call fails with the unchanged error.
   * `continue`: an answer that reports the failure, so that the run completes. A function returns the text of that
   * answer.
   */
  readonly onExhausted?: "error" | "continue" | ExhaustedAnswer;
  /**
   * Holds a streamed answer back until it is complete, so that an answer that breaks off can be retried. The consumer
   * then receives it all at once. Default: false.
   */
  readonly hold?: boolean;
}

/**
 * Retries a failed model call after a delay. A stream is retried only if the consumer has not received any content. An
 * answer that breaks off later fails, because emitted content cannot be taken back. With `hold`, nothing is emitted
 * before the answer is complete.
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

  /** Reports the decision and returns the delay before the next attempt, or `undefined` if it is absent. */
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

/** Reads an answer to its end. Outer layers receive it again from a buffer. */
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
      : `The model call failed: ${attempts} attempt${attempts === 1 ? "" : "s"} failed, the last with ${nameOf(error)}.`;
  return { message: message("assistant", text) };
}
