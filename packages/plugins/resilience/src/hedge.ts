import { type CallNext, definePlugin, type Invocation, onAbort, type Plugin } from "@suite/core";
import type { Branch } from "@suite/core/contract";
import { common, time } from "@suite/kit/options";
import { ResilienceError } from "./errors.js";
import { checkOptions, type ResilienceOptions } from "./options.js";

/** The options of `hedge`. */
export interface HedgeOptions extends ResilienceOptions {
  /** Milliseconds without a response after which the model is asked a second time. */
  readonly delay: number;
}

/** The first event of one of the two requests: it began to answer, or failed. */
interface Begun {
  readonly branch: Branch<"model">;
  readonly failed?: { readonly error: unknown };
}

/**
 * Asks a model a second time if it is slow to answer, uses the answer that begins first, and cancels the other. If one
 * request fails, the other decides; if both fail, the call fails with the later error. Applies to model calls only: a
 * tool is never called twice.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * hedge({ delay: 3000 });
 * ```
 */
export function hedge(options: HedgeOptions): Plugin {
  options = checkOptions("hedge", options, { ...common, delay: time }, ["delay"]);
  const { name = "hedge", mode = "enforce", delay } = options;
  const enforced = mode === "enforce";

  function notify({ runtime, call }: Invocation<"model">, decision: "hedge" | "not_served", reason: string): void {
    const details = { delay };
    runtime.notify({ type: "decision", plugin: name, decision, enforced, call, place: "model", reason, details });
  }
  const slow = "the model has not started its response";

  /** Watches a call, and only reports when it would have been asked again. */
  async function watch(invocation: Invocation<"model">, callNext: CallNext): Promise<void> {
    const wait = new Wait(delay, invocation.runtime.signal);
    void wait.passed.then(() => notify(invocation, "hedge", slow));
    try {
      await callNext();
      if (invocation.result?.streaming === true) await invocation.result.ready();
    } finally {
      wait.end();
    }
  }

  return definePlugin({
    name,
    givesUp: true,
    settings: { delay, mode },
    async model(invocation, callNext) {
      if (!enforced) return watch(invocation, callNext);
      const { branch } = invocation;
      if (branch === undefined) {
        notify(invocation, "not_served", "the framework can call a model only once at a time");
        return callNext();
      }
      const one = branch(callNext);
      const first = begun(one);
      const wait = new Wait(delay, invocation.runtime.signal);
      const early = await Promise.race([first, wait.passed]);
      wait.end();
      if (early !== undefined) return take(early);
      notify(invocation, "hedge", slow);
      const two = branch(callNext);
      const second = begun(two);
      const faster = await Promise.race([first, second]);
      const winner = faster.failed === undefined ? faster : await (faster.branch === one ? second : first);
      const loser = winner.branch === one ? two : one;
      loser.giveUp(
        new ResilienceError("ERR_RESILIENCE_HEDGE_LOST", "Another request for the same call answered first."),
      );
      take(winner);
    },
  });
}

/** Waits until a request begins to answer; for a stream, until it emits visible content. Never rejects. */
async function begun(branch: Branch<"model">): Promise<Begun> {
  try {
    const outcome = await branch.answered;
    if (outcome.streaming) await outcome.ready();
    return { branch };
  } catch (error) {
    return { branch, failed: { error } };
  }
}

/**
 * Uses a request as the outcome of the call.
 * @throws the error of the failed request
 */
function take({ branch, failed }: Begun): void {
  branch.take();
  if (failed !== undefined) throw failed.error;
}

/** A timer that can be stopped, and that ends with the run. */
class Wait {
  readonly passed: Promise<undefined>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #off: () => void;

  constructor(milliseconds: number, signal: AbortSignal) {
    this.passed = new Promise((resolve) => {
      this.#timer = setTimeout(() => resolve(undefined), milliseconds);
    });
    this.#off = onAbort(signal, () => clearTimeout(this.#timer));
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#off();
  }
}
