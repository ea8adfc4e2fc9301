import { expectText, PiiError, type PiiPlace } from "../../errors.js";
import type { Plan } from "../../scan/plan.js";
import type { CompiledRule } from "../../scan/rule.js";
import type { Found } from "../../scan/scanner.js";
import { Session, type Sink } from "../../scan/session.js";
import { Position } from "../place.js";

/**
 * The substitute that is put in the place of one finding.
 *
 * @param whole whether the value is all there: of one that is longer than what is held, only the beginning is.
 * @param at where the value stands, where a rule of the plan blocks.
 */
export type Substitute = (
  rule: CompiledRule,
  start: number,
  value: string,
  score: number,
  whole: boolean,
  at?: PiiPlace,
) => string;

/** A value that waits for what follows it: it may go on there. */
interface Waiting {
  readonly rule: CompiledRule;
  readonly start: number;
  readonly value: string;
  readonly score: number;
}

/**
 * A text that comes in pieces. What `push` and `end` give, joined, does not depend on how the text was cut; nothing of
 * a match is given out before it is decided on. After an error it gives nothing more out.
 */
export class TextStream {
  readonly #session: Session;
  readonly #substitute: Substitute;
  #out = "";
  /** The value that waits, only where half a value is worth nothing: it could not be put back. */
  #waiting: Waiting | undefined;
  #failed: { readonly error: unknown } | undefined;
  #ended = false;

  /**
   * @param before what stands before the text, where it is part of something larger: see `Session`.
   * @param ignored is told whose recogniser failed, where its rule says to go on.
   */
  constructor(plan: Plan, substitute: Substitute, before?: string, ignored?: (rule: CompiledRule) => void) {
    this.#substitute = substitute;
    const position = plan.rules.some(({ blocks }) => blocks) ? new Position() : undefined;
    const sink: Sink = {
      plain: (text) => {
        this.#settle(true);
        position?.read(text);
        this.#out += text;
      },
      found: ({ rule, start, score, silent }, value) => {
        this.#settle(!silent);
        if (!silent && rule.tokenizes) this.#waiting = { rule, start, value, score };
        else if (!silent) this.#out += substitute(rule, start, value, score, true, position);
        position?.read(value);
      },
      ...(ignored && { ignored }),
    };
    this.#session = new Session(plan, sink, before);
  }

  /** The amount of text that has come and is held back, in UTF-16 units. */
  get undecided(): number {
    return this.#ended ? 0 : this.#session.held + (this.#waiting?.value.length ?? 0);
  }

  /**
   * All of a text that is all there, in place of `push` and `end`.
   *
   * @param found what its recognisers with triggers have found in it, where that is known.
   */
  complete(text: string, found?: Found[]): string {
    return this.#finish(() => this.#session.whole(text, found));
  }

  push(chunk: string): string {
    expectText(chunk, "push()");
    return this.#run(() => this.#session.push(chunk));
  }

  end(): string {
    return this.#finish(() => this.#session.end());
  }

  #finish(step: () => void): string {
    const rest = this.#run(() => {
      step();
      this.#settle(true);
    });
    this.#ended = true;
    return rest;
  }

  /**
   * The text after a failure, for those who let it pass then: what was decided in the failed step, and the rest as it
   * came.
   */
  release(): string {
    return this.#out + (this.#waiting?.value ?? "") + this.#session.undecided;
  }

  #settle(whole: boolean): void {
    if (this.#waiting === undefined) return;
    const { rule, start, value, score } = this.#waiting;
    this.#out += this.#substitute(rule, start, value, score, whole);
    this.#waiting = undefined;
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
