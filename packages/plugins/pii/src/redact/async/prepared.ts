import type { Awaitable, Emit, Stage } from "@suite/core";

/**
 * Starts the requests for everything that `collect` reads. Returns `undefined` if no request is needed. Rejects with
 * the reason of an abort.
 */
export type Search = (collect: () => void) => Promise<void> | undefined;

/** A subject that only collects requests, and the function that sends them. */
interface Source<S> {
  readonly subject: S;
  readonly search: Search;
}

/**
 * A synchronous engine, guard or stream that needs the findings of async recognisers or the tokens of an async vault.
 * They are requested before each step, so that the step itself is synchronous.
 */
export class Prepared<S> {
  readonly subject: S;
  readonly #sources: readonly Source<S>[];

  /** @param sources The sources, in order. Each knows the results of those before it. */
  constructor(subject: S, sources: readonly Source<S>[] = []) {
    this.subject = subject;
    this.#sources = sources;
  }

  /** True if steps may have to wait. */
  get async(): boolean {
    return this.#sources.length > 0;
  }

  /** Creates another subject of each one. @param make Is called with true for a subject that only collects. */
  map<T>(make: (subject: S, collects: boolean) => T): Prepared<T> {
    const sources = this.#sources.map(({ subject, search }) => ({ subject: make(subject, true), search }));
    return new Prepared(make(this.subject, false), sources);
  }

  /** Adds a last source. */
  after(subject: S, search: Search): Prepared<S> {
    return new Prepared(this.subject, [...this.#sources, { subject, search }]);
  }

  /**
   * Runs a step. Returns a promise only if there is something to wait for.
   *
   * @param step Is run with each source first. Its errors and results there are dropped.
   * @param use Receives the result, which is not awaited. Is called once.
   */
  run<R>(step: (subject: S) => R): R | Promise<Awaited<R>>;
  run<R, T>(step: (subject: S) => R, use: (result: R) => T): T | Promise<Awaited<T>>;
  run(step: (subject: S) => unknown, use: (result: unknown) => unknown = same): unknown {
    let wait: Promise<void> | undefined;
    for (const { subject, search } of this.#sources) {
      const start = (): Promise<void> | undefined => search(() => attempt(() => step(subject)));
      wait = wait === undefined ? start() : wait.then(start);
    }
    if (wait === undefined) return use(step(this.subject));
    return wait.then(() => use(step(this.subject)));
  }
}

const same = (result: unknown): unknown => result;

/** Calls a function whose errors occur again later. */
function attempt(call: () => unknown): void {
  try {
    call();
  } catch {
    // See above.
  }
}

/** Returns the stage itself, or one that waits before each chunk if there is something to wait for. */
export function preparedStage<C, F>(stage: Prepared<Stage<C, F>>): Stage<C, F> {
  if (!stage.async) return stage.subject;
  const nowhere: Emit<C> = () => {};
  /** Stages that only collect emit nothing. */
  const run = (step: (one: Stage<C, F>, emit: Emit<C>) => Awaitable<void>, emit: Emit<C>): Awaitable<void> =>
    stage.run((one) => step(one, one === stage.subject ? emit : nowhere));
  return {
    chunk: (chunk, emit) => run((one, to) => one.chunk?.(chunk, to), emit),
    flush: (emit, suspended) => run((one, to) => one.flush?.(to, suspended), emit),
    settle: (settlement) => stage.subject.settle?.(settlement),
  };
}
