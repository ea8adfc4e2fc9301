import type { PiiError } from "../../errors.js";
import { type Answer, failed } from "../../patterns/answer.js";
import type { AsyncRecogniser } from "../../scan/async-recogniser.js";
import { ask } from "./ask.js";

/** The pending questions for async recognisers and their answers, while they are needed. */
export class Answers {
  readonly #wanted = new Map<AsyncRecogniser, Set<string>>();
  readonly #known = new Map<AsyncRecogniser, ReadonlyMap<string, Answer>>();
  /** Recognisers that were late once, which are not waited for again. */
  readonly #late = new Map<AsyncRecogniser, PiiError>();

  /** Another text to ask about. */
  want(recogniser: AsyncRecogniser, text: string): void {
    if (this.#late.has(recogniser)) return;
    const texts = this.#wanted.get(recogniser);
    if (texts === undefined) this.#wanted.set(recogniser, new Set([text]));
    else texts.add(text);
  }

  /**
   * Asks all pending questions and drops the previous answers. Returns `undefined` if there is nothing to ask. Rejects
   * with the signal's reason when it aborts. Failures of recognisers are part of the answers.
   */
  ask(signal: AbortSignal | undefined): Promise<void> | undefined {
    this.#known.clear();
    if (this.#wanted.size === 0) return undefined;
    const asked = Array.from(this.#wanted, async ([recogniser, texts]) => {
      this.#known.set(recogniser, await ask(recogniser, texts, signal, (late) => this.#late.set(recogniser, late)));
    });
    this.#wanted.clear();
    return Promise.all(asked).then(() => {});
  }

  of(recogniser: AsyncRecogniser, text: string): Answer {
    const answer = this.#known.get(recogniser)?.get(text);
    if (answer !== undefined) return answer;
    const late = this.#late.get(recogniser);
    return {
      matches: [],
      wrong: late ?? failed(recogniser.type, "answered for a string that has changed in the meantime"),
    };
  }
}
