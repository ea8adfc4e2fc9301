import type { Awaitable } from "@suite/core";
import type { LoopContext } from "./context.js";

/** The system prompt of one round: assembled once for each model call, however many ask for it before. */
export class RoundPrompt {
  #assembled: Promise<string> | undefined;

  constructor(readonly context: LoopContext) {}

  /** For those who only look. */
  peek(): Awaitable<string> {
    this.#assembled ??= this.#assemble();
    return this.#assembled;
  }

  /** For the model call; the next one, a retry, has it assembled anew. */
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
