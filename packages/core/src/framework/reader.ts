import type { Outcome } from "../contract/outcome.js";
import type { Suspended } from "../contract/suspension.js";
import type { Flow } from "../engine/flow.js";

/** One step of an answer: a chunk, or its end. */
export type OutcomeStep<C> = IteratorResult<C, Suspended | undefined>;

/**
 * Returns a function that reads an answer step by step. It returns the next step if it is ready. Otherwise it returns
 * `undefined` and calls `onStep` later. Request one step at a time. To stop reading, cancel the answer or end its run.
 *
 * @param outcome the result of `PluginStack.call`.
 * @param onStep receives a step that was not ready.
 * @param failed receives the error of the answer.
 * @throws CoreError `ERR_ALREADY_CONSUMED`
 * @example
 * ```ts
 * const next = readerOf(outcome, (step) => read(step), (error) => controller.error(error));
 * const read = (step = next()) => {
 *   for (; step?.done === false; step = next()) controller.enqueue(step.value);
 *   if (step?.done) controller.close();
 * };
 * read();
 * ```
 */
export const readerOf = <C, F>(
  outcome: Outcome<C, F>,
  onStep: (step: OutcomeStep<C>) => void,
  failed: (error: unknown) => void,
): (() => OutcomeStep<C> | undefined) => (outcome as Flow<C, F>).reader(onStep, failed);

/**
 * Returns the value that `final()` will resolve to, if the answer is not a stream and no layer processes its chunks.
 * Otherwise returns `undefined`. `final()` must still be called.
 */
export const wholeOf = <C, F>(outcome: Outcome<C, F>): F | undefined => (outcome as Flow<C, F>).completeValue;
