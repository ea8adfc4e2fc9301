import { onAbort } from "@suite/core";
import type { PiiError } from "../../errors.js";
import { type Answer, failed, readAnswer } from "../../patterns/answer.js";
import type { AsyncRecogniser } from "../../scan/async-recogniser.js";

/** The maximum number of strings that one recogniser treats at a time. */
const atOnce = 4;

/**
 * Asks a recogniser for its findings in each text. Ends at the timeout, even if the recogniser does not, and on a
 * failure, unless failures are ignored.
 *
 * @param late Called with the error after a timeout.
 * @throws The signal's reason, when it aborts.
 */
export async function ask(
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
      const answer = await answerOf(recogniser, text, stop.signal);
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

async function answerOf(recogniser: AsyncRecogniser, text: string, signal: AbortSignal): Promise<Answer> {
  try {
    const given = await recogniser.find(text, { signal });
    return readAnswer(recogniser, text, () => given);
  } catch (cause) {
    return { matches: [], wrong: failed(recogniser.type, "threw", cause) };
  }
}
