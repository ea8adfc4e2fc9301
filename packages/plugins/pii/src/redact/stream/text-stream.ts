import { expectText, PiiError, type PiiPlace } from "../../errors.js";
import type { Plan } from "../../scan/plan.js";
import type { CompiledRule } from "../../scan/rule.js";
import type { Found } from "../../scan/scanner.js";
import { Session, type Sink } from "../../scan/session.js";
import { Position } from "../place.js";

/**
 * Returns the replacement of one finding.
 *
 * @param whole True if the value is complete. Only the beginning of a value above the limit is passed.
 * @param at The place of the value, if a rule of the plan blocks.
 */
export type Substitute = (
  rule: CompiledRule,
  start: number,
  value: string,
  score: number,
  whole: boolean,
  at?: PiiPlace,
) => string;

/** A value that is held until the text after it shows if it continues. */
interface Waiting {
  readonly rule: CompiledRule;
  readonly start: number;
  readonly value: string;
  readonly score: number;
}

/**
 * Treats text in chunks. The joined results of `push` and `end` do not depend on how the text was split. No part of a
 * match is returned before it is decided. After an error it returns no more text.
 */
export class TextStream {
  readonly #session: Session;
  readonly #substitute: Substitute;
  #out = "";
  /** The held value. Set only if half a value would be useless because it could not be restored. */
  #waiting: Waiting | undefined;
  #failed: { readonly error: unknown } | undefined;
  #ended = false;

  /**
   * @param before The text before this one, if it is part of something larger. See `Session`.
   * @param ignored Called if a recogniser failed and its rule ignores failures.
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
   * Treats a complete text. Replaces `push` and `end`.
   *
   * @param found The matches of the recognisers with triggers, if they are known.
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
   * Returns the remaining text after a failure, for callers that pass it unredacted: the output of the failed step and
   * the rest as received.
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
      throw new PiiError("ERR_PII_STREAM_ENDED", "This stream has ended. Create a new one for another string.");
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
