import type { Emit, Stage } from "../contract/outcome.js";
import type { Awaitable } from "../contract/protocol.js";
import { CoreError } from "../errors.js";
import type { Codec, Recorder } from "./codec.js";

type Sink<C> = (chunk: C) => void;

/** The linked stages of one answer. Each chunk enters by one call, without a promise unless a stage returns one. */
export interface Chain<C, F> {
  /** Passes one chunk of the source through all stages. */
  readonly enter: Sink<C>;
  /** The first error of a stage, in an object, since any value can be thrown. */
  readonly failure: () => { readonly error: unknown } | undefined;
  /** Resolves when no stage is running. Returns `undefined` if none is. */
  readonly idle: () => Promise<void> | undefined;
  /**
   * Lets each stage emit the chunks that it holds back, inner first. Returns `undefined` if there is nothing to wait
   * for.
   */
  readonly flush: (suspended: boolean) => Promise<void> | undefined;
  /** Returns the final value after stage `index`. Default: after all stages. */
  readonly final: (index?: number) => F;
}

/** One stage that changes chunks. It receives the next chunk after it has returned or its promise has resolved. */
interface Link<C> {
  readonly accept: Sink<C>;
  flush(suspended: boolean): void;
}

/** A link is idle, waits for a promise (arriving chunks are queued), or has thrown (arriving chunks are dropped). */
type State = "rest" | "work" | "dead";

function linkOf<C>(stage: Stage<C, never>, out: Sink<C>, progress: Progress): Link<C> {
  const { chunk: change } = stage;
  const waiting: C[] = [];
  let state: State = "rest";
  let live = false;
  const emit: Emit<C> = (chunk) => {
    if (!live) throw emitAfterReturn();
    out(chunk);
  };
  const die = (error: unknown): void => {
    live = false;
    state = "dead";
    progress.failure ??= { error };
  };
  const accept: Sink<C> = (chunk) => {
    if (state === "rest") enter(change as NonNullable<typeof change>, chunk, emit);
    else if (state === "work") waiting.push(chunk);
  };
  const enter = <A, B>(method: (a: A, b: B) => Awaitable<void>, a: A, b: B): void => {
    live = true;
    try {
      const work = method.call(stage, a, b);
      if (work === undefined || typeof work.then !== "function") live = false;
      else wait(work);
    } catch (error) {
      die(error);
    }
  };
  const wait = (work: PromiseLike<void>): void => {
    state = "work";
    progress.begin();
    const rest = (): void => {
      live = false;
      state = "rest";
      while (state === "rest" && waiting.length > 0) accept(waiting.shift() as C);
      progress.end();
    };
    work.then(rest, (error: unknown) => {
      die(error);
      progress.end();
    });
  };
  const flush = (suspended: boolean): void => {
    if (stage.flush !== undefined && progress.failure === undefined) enter(stage.flush, emit, suspended);
  };
  return { accept: change === undefined ? out : accept, flush };
}

const emitAfterReturn = (): CoreError =>
  new CoreError(
    "ERR_EMIT_AFTER_RETURN",
    "emit() was called after its stage had returned. To emit later, return a promise.",
  );

/** The state of one chain's links: the first failure, and the number of running links. */
class Progress {
  failure: { readonly error: unknown } | undefined;
  #working = 0;
  #idle: (() => void) | undefined;

  begin(): void {
    this.#working++;
  }
  end(): void {
    if (--this.#working === 0) this.#idle?.();
  }
  idle(): Promise<void> | undefined {
    if (this.#working === 0) return undefined;
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }
}

/** Caches the final value, since several stages read it. */
function once<C, F>({ add, final }: Recorder<C, F>): Recorder<C, F> {
  let built: { readonly value: F } | undefined;
  return {
    add,
    final() {
      built ??= { value: final() };
      return built.value;
    },
  };
}

/**
 * Links the stages of an answer at its first pull. Only stages that change chunks add cost per chunk. Chunks are
 * recorded at the end, and before a stage if an inner `settle` needs that value.
 */
export function link<C, F>(
  stages: readonly Stage<C, F>[],
  codec: Codec<C, F>,
  original: F | undefined,
  out: Sink<C>,
): Chain<C, F> {
  const progress = new Progress();
  const recorders: Recorder<C, F>[] = [];
  const links: Link<C>[] = [];
  const record = (next: Sink<C>): { recorder: Recorder<C, F>; sink: Sink<C> } => {
    const recorder = once(codec.recorder(original));
    const { add } = recorder;
    return {
      recorder,
      sink: (chunk) => {
        add(chunk);
        next(chunk);
      },
    };
  };
  const end = record(out);
  let current = end.recorder;
  let sink = end.sink;
  for (let index = stages.length - 1; index >= 0; index--) {
    const stage = stages[index] as Stage<C, F>;
    recorders[index] = current;
    if (stage.chunk === undefined && stage.flush === undefined) continue;
    const stageLink = linkOf<C>(stage, sink, progress);
    links.unshift(stageLink);
    sink = stageLink.accept;
    if (stages.slice(0, index).some((inner) => inner.settle !== undefined)) {
      const before = record(sink);
      current = before.recorder;
      sink = before.sink;
    }
  }
  return {
    enter: sink,
    failure: () => progress.failure,
    idle: () => progress.idle(),
    flush(suspended) {
      let index = 0;
      const next = (): Promise<void> | undefined => {
        while (index < links.length) {
          links[index++]?.flush(suspended);
          const idle = progress.idle();
          if (idle !== undefined) return idle.then(next);
        }
        return undefined;
      };
      return next();
    },
    final: (index) => ((index === undefined ? undefined : recorders[index]) ?? end.recorder).final(),
  };
}
