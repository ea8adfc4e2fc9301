import { PiiError } from "../errors.js";
import type { CompiledRule } from "../rules/rule.js";
import type { Plan } from "../scan/plan.js";
import { Session } from "../scan/session.js";

/** What is put in the place of one finding. */
export type Substitute = (rule: CompiledRule, start: number, value: string, score: number) => string;

/**
 * A text that comes in pieces. What `push` and `end` give, joined, does not depend on how the text was cut; nothing of
 * a match is given out before it is decided on. After an error it gives nothing more out.
 */
export class TextStream {
  readonly #session: Session;
  #out = "";
  #failed: { readonly error: unknown } | undefined;
  #ended = false;

  constructor(plan: Plan, substitute: Substitute) {
    this.#session = new Session(plan, {
      plain: (text) => {
        this.#out += text;
      },
      found: ({ rule, start, score, silent }, value) => {
        if (!silent) this.#out += substitute(rule, start, value, score);
      },
    });
  }

  push(chunk: string): string {
    return this.#run(() => this.#session.push(chunk));
  }

  end(): string {
    const rest = this.#run(() => this.#session.end());
    this.#ended = true;
    return rest;
  }

  /** After a failure, for those who let the text pass then: what was decided in the failed step, and the rest as it came. */
  release(): string {
    return this.#out + this.#session.undecided;
  }

  #run(step: () => void): string {
    if (this.#failed !== undefined) throw this.#failed.error;
    if (this.#ended) {
      throw new PiiError("ERR_PII_STREAM_ENDED", "This stream has ended. Make a new one for another text.");
    }
    this.#out = "";
    try {
      step();
    } catch (error) {
      this.#failed = { error };
      throw error;
    }
    return this.#out;
  }
}
