import type { Outcome } from "../contract/outcome.js";
import type { Suspended } from "../contract/suspension.js";
import type { Flow } from "../engine/flow.js";

/** One step of an answer: a chunk, or its end. */
export type OutcomeStep<C> = IteratorResult<C, Suspended | undefined>;

/**
 * A function that reads an answer step by step, without a promise where there is none to wait for: gives what is there at
 * once, else gives undefined and tells it later. One step is asked for after the other, and who stops reading cancels the
 * answer, or ends its run.
 *
 * @param outcome what `PluginStack.call` gave.
 * @param told is given a step that was waited for.
 * @param failed is given what the answer failed with.
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
  told: (step: OutcomeStep<C>) => void,
  failed: (error: unknown) => void,
): (() => OutcomeStep<C> | undefined) => (outcome as Flow<C, F>).reader(told, failed);

/**
 * The answer itself, where it did not come as a stream and no layer looks at its pieces: what `final()` is going to give, once
 * it was asked for. Undefined of any other.
 */
export const wholeOf = <C, F>(outcome: Outcome<C, F>): F | undefined => (outcome as Flow<C, F>).whole;
