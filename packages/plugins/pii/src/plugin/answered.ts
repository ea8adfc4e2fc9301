import type { Awaitable, Emit, Stage } from "@suite/core";
import { TwoPasses } from "../redact/async/two-passes.js";
import type { At, Guard } from "./guard.js";
import type { RunTokens } from "./run-tokens.js";

/**
 * Returns the result of a step that needs the answers of async recognisers and of a vault.
 *
 * @param look Does the same without side effects and with another guard, to find out what will be asked.
 */
export function answered<T>(
  guard: Guard,
  at: At,
  own: RunTokens | undefined,
  look: (by: Guard) => void,
  act: (by: Guard) => T,
): T | Promise<Awaited<T>> {
  const withTokens = (by: Guard): T | Promise<Awaited<T>> =>
    prepared(
      own,
      () => look(by),
      () => act(by),
    );
  if (guard.engine.async.length === 0) return withTokens(guard);
  guard.warn(at);
  const passes = new TwoPasses(guard.engine, at.runtime.signal);
  const wait = passes.prepare(() => look(guard.with(passes.trial)));
  const by = guard.with(passes.answered);
  return wait === undefined ? withTokens(by) : (wait.then(() => withTokens(by)) as Promise<Awaited<T>>);
}

/**
 * Creates a stage that may have to wait for async recognisers. A second stage runs ahead, and its output is dropped.
 *
 * @param ahead Creates the same stage. It need not wait for a vault.
 */
export function answeredStage<C, F>(
  guard: Guard,
  at: Omit<At, "place">,
  ahead: (by: Guard) => Stage<C, F>,
  make: (by: Guard) => Stage<C, F>,
): Stage<C, F> {
  if (guard.engine.async.length === 0) return make(guard);
  guard.warn(at);
  const passes = new TwoPasses(guard.engine, at.runtime.signal);
  const first = ahead(guard.with(passes.trial).silent);
  const stage = make(guard.with(passes.answered));
  const nowhere: Emit<C> = () => {};
  const step = (look: () => void, act: () => Awaitable<void>): Awaitable<void> => {
    const wait = passes.prepare(look);
    return wait === undefined ? act() : wait.then(act);
  };
  return {
    chunk: (chunk, emit): Awaitable<void> =>
      step(
        () => first.chunk?.(chunk, nowhere),
        () => stage.chunk?.(chunk, emit),
      ),
    flush: (emit, suspended): Awaitable<void> =>
      step(
        () => first.flush?.(nowhere, suspended),
        () => stage.flush?.(emit, suspended),
      ),
    settle: (settlement) => stage.settle?.(settlement),
  };
}

/**
 * Returns the result of a step that needs a prepared vault.
 *
 * @param look Does the same without side effects, to find out what will be asked.
 */
export function prepared<T>(own: RunTokens | undefined, look: () => void, act: () => T): T | Promise<Awaited<T>> {
  const wait = own?.prepare(look);
  return wait === undefined ? act() : (wait.then(act) as Promise<Awaited<T>>);
}

/**
 * Creates a stage whose vault answers asynchronously. A second stage of the same kind runs ahead, and its output is
 * dropped.
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
