import type { Awaitable, Emit, Stage } from "@suite/core";
import type { RunTokens } from "./run-tokens.js";

/**
 * The result of a step for which a vault must have been prepared.
 *
 * @param look does the same, without any effect, so that it is known what will be asked for.
 */
export function prepared<T>(own: RunTokens | undefined, look: () => void, act: () => T): T | Promise<Awaited<T>> {
  const wait = own?.prepare(look);
  return wait === undefined ? act() : (wait.then(act) as Promise<Awaited<T>>);
}

/**
 * A stage whose vault answers asynchronously. Another one of the same kind goes ahead; what it makes of the answer goes nowhere.
 */
export function preparedStage<C, F>(own: RunTokens, stage: Stage<C, F>, ahead: Stage<C, F>): Stage<C, F> {
  const nowhere: Emit<C> = () => {};
  return {
    chunk: (chunk, emit): Awaitable<void> =>
      prepared(
        own,
        () => ahead.chunk?.(chunk, nowhere),
        () => stage.chunk?.(chunk, emit),
      ),
    flush: (emit, suspended): Awaitable<void> =>
      prepared(
        own,
        () => ahead.flush?.(nowhere, suspended),
        () => stage.flush?.(emit, suspended),
      ),
    settle: (settlement) => stage.settle?.(settlement),
  };
}
