import type { Awaitable } from "@suite/core";
import type { LoopContext } from "./context.js";

/**
 * The system prompt of one round, assembled from the agent's own and what plugins make of it: when somebody first asks, and
 * once for each model call.
 */
export class RoundPrompt {
  #assembled: Promise<string> | undefined;

  constructor(readonly context: LoopContext) {}

  /** The prompt of the model call to come, for those who count its tokens. Rejects with what assembling threw. */
  peek(): Awaitable<string> {
    this.#assembled ??= this.#assemble();
    return this.#assembled;
  }

  /** The prompt for the model call that is made now. The next call, such as a retry, has its own assembled. */
  take(): Awaitable<string> {
    const assembled = this.peek();
    this.#assembled = undefined;
    return assembled;
  }

  async #assemble(): Promise<string> {
    const { stack, run, systemPrompt } = this.context;
    const base = typeof systemPrompt === "function" ? await systemPrompt(run) : systemPrompt;
    return stack.systemPrompt(base, run);
  }
}
