import { onAbort } from "@suite/core";
import type { PiiError } from "../../errors.js";
import { type Answer, failed, readAnswer } from "../../patterns/answer.js";
import type { AsyncRecogniser } from "../../scan/async-recogniser.js";

/** The maximum number of strings that one recogniser searches at a time. */
const atOnce = 4;

/** The strings that async recognisers must search, and their findings in them, while they are needed. */
export class Answers {
  readonly #pending = new Map<AsyncRecogniser, Set<string>>();
  readonly #known = new Map<AsyncRecogniser, ReadonlyMap<string, Answer>>();
  /** Recognisers that were late once, which are not waited for again. */
  readonly #late = new Map<AsyncRecogniser, PiiError>();

  /** Adds a string for the next request. */
  add(recogniser: AsyncRecogniser, text: string): void {
    if (this.#late.has(recogniser)) return;
    const texts = this.#pending.get(recogniser);
    if (texts === undefined) this.#pending.set(recogniser, new Set([text]));
    else texts.add(text);
  }

  /**
   * Calls the recognisers with all added strings and drops the previous answers. Returns `undefined` if there are none.
   * Rejects with the signal's reason when it aborts. Failures of recognisers are part of the answers.
   */
  request(signal: AbortSignal | undefined): Promise<void> | undefined {
    this.#known.clear();
    if (this.#pending.size === 0) return undefined;
    const calls = Array.from(this.#pending, async ([recogniser, texts]) => {
      const late = (error: PiiError): unknown => this.#late.set(recogniser, error);
      this.#known.set(recogniser, await searchAll(recogniser, texts, signal, late));
    });
    this.#pending.clear();
    return Promise.all(calls).then(() => {});
  }

  /** Returns the answer for a string. It is an error if the string was not part of the last request. */
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

/**
 * Calls a recogniser with each string. Ends at the timeout, even if the recogniser does not, and on a failure, unless
 * failures are ignored.
 *
 * @param late Called with the error after a timeout.
 * @throws The signal's reason, when it aborts.
 */
async function searchAll(
  recogniser: AsyncRecogniser,
  texts: ReadonlySet<string>,
  signal: AbortSignal | undefined,
  late: (error: PiiError) => void,
): Promise<ReadonlyMap<string, Answer>> {
  signal?.throwIfAborted();
  const { type, timeout, ignores } = recogniser;
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => onAbort(stop.signal, resolve));
  let wrong: PiiError | undefined;
  const fail = (error: PiiError): void => {
    wrong = error;
    stop.abort(error);
  };
  const timer = setTimeout(() => {
    const error = failed(type, `did not answer within its timeout of ${timeout} ms`);
    late(error);
    fail(error);
  }, timeout);
  const unfollow = signal && onAbort(signal, () => stop.abort(signal.reason));
  const answers = new Map<string, Answer>();
  const waiting = texts.values();
  const lane = async (): Promise<void> => {
    for (const text of waiting) {
      const answer = await search(recogniser, text, stop.signal);
      if (stop.signal.aborted) return;
      answers.set(text, answer);
      if (answer.wrong !== undefined && !ignores) return fail(answer.wrong);
    }
  };
  try {
    await Promise.race([stopped, Promise.all(Array.from({ length: Math.min(atOnce, texts.size) }, lane))]);
  } finally {
    clearTimeout(timer);
    unfollow?.();
  }
  signal?.throwIfAborted();
  for (const text of texts) if (!answers.has(text)) answers.set(text, { matches: [], wrong });
  return answers;
}

async function search(recogniser: AsyncRecogniser, text: string, signal: AbortSignal): Promise<Answer> {
  try {
    const result = await recogniser.find(text, { signal });
    return readAnswer(recogniser, text, () => result);
  } catch (cause) {
    return { matches: [], wrong: failed(recogniser.type, "threw", cause) };
  }
}
