import type { Delta, Outcome, Reply } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import { judged } from "@suite/core/framework";

/**
 * The framework's verdict on an answer after all layers. Rejects if the answer is not an object or does not match the
 * schema.
 */
export type Verdict = () => Promise<unknown>;

/** Returns the complete answer before its verdict. The answer settles with the verdict. */
export function beforeVerdict(outcome: Outcome<Delta, Reply>, verdict: Verdict): Promise<Reply> {
  return new Promise((resolve, reject) => {
    judged(outcome, async (reply) => {
      resolve(reply);
      await verdict();
    });
    outcome.final().then(resolve, reject);
  });
}

/** Returns the answer as a stream that ends before its verdict. The answer settles with the verdict. */
export function streamedBeforeVerdict(
  outcome: Outcome<Delta, Reply>,
  verdict: Verdict,
): AsyncIterable<Delta, Suspended | undefined> & Pick<Outcome<Delta, Reply>, "settled"> {
  let finished = false;
  let end = (_: IteratorResult<Delta, undefined>): void => {};
  const judging = new Promise<IteratorResult<Delta, undefined>>((resolve) => {
    end = resolve;
  });
  judged(outcome, async () => {
    end({ done: true, value: undefined });
    // The framework returns a verdict only if the answer contains a finish chunk. Without one a wait would never end.
    if (finished) await verdict();
  });
  const iterator = outcome[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Delta, Suspended | undefined>> => {
    const step = await Promise.race([iterator.next(), judging]);
    finished ||= step.done !== true && step.value.type === "finish";
    return step;
  };
  const stop = async (): Promise<IteratorResult<Delta, undefined>> => {
    await iterator.return?.();
    return { done: true, value: undefined };
  };
  return { settled: outcome.settled, [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}
