import type { CallCore } from "../contract/call.js";
import type { RunIdentity } from "../contract/identity.js";
import type { CallId, Chunk, Final, Kind, Request } from "../contract/kinds.js";
import type { Outcome } from "../contract/outcome.js";
import type { RuntimeContext } from "../contract/runtime.js";
import type { Run } from "../engine/run.js";
import type { RunOptions } from "../engine/run-options.js";
import type { PluginStack } from "../engine/stack.js";
import { ambientStorage } from "./ambient.js";

/** A run, and the call in it within which something happens. */
export interface InRun {
  readonly run: Run;
  readonly call?: CallId | undefined;
}

/**
 * The runs of one wrapped target. A framework calls models and tools from wherever it likes: each such call belongs to the
 * run of the agent around it, or, where there is none, to a run of its own.
 *
 * @example
 * ```ts
 * const runs = new FrameworkRuns(stack);
 * const outcome = await runs.call("model", request, async (invocation) => {
 *   invocation.respond({ value: await ask(invocation.request) });
 * });
 * ```
 */
export class FrameworkRuns {
  readonly stack: PluginStack;
  readonly #owner: object;

  /** @param owner runs with the same owner are found by `current`. Default: this object. */
  constructor(stack: PluginStack, owner?: object) {
    this.stack = stack;
    this.#owner = owner ?? this;
  }

  /** The run of this target that the calling code is in, found through `AsyncLocalStorage`. */
  get current(): InRun | undefined {
    const current = ambientStorage()?.getStore();
    if (current === undefined || !this.#owns(current.runtime) || hasEnded(current.runtime)) return undefined;
    return { run: current.runtime as Run, call: current.call };
  }

  /**
   * Begins a run. Its parent is the run that the calling code is in, if there is one, also one of another adapter; with
   * `parent: undefined` it has none, as for a request from outside. Ids come from the option `run` of `withPlugins`, else
   * from `options`, else from the parent. Always end the run.
   *
   * @throws the error that the option `run` threw.
   */
  begin(options: RunOptions = {}): Run {
    const ambient = ambientStorage();
    const around = ambient?.getStore()?.runtime;
    const parent = "parent" in options || around === undefined || hasEnded(around) ? options.parent : around;
    const ids = idsOf(this.stack.identify?.(), options, parent);
    const run = this.stack.begin({ ambient, ...options, parent, ...ids });
    run.owner = this.#owner;
    return run;
  }

  /** The call that the calling code is in, where `run` was begun within that: what happens in `run` first belongs there. */
  callAround({ parent }: Run): CallId | undefined {
    const current = ambientStorage()?.getStore();
    return current?.runtime === parent ? current?.call : undefined;
  }

  /**
   * Calls the framework itself, for a path none of whose hooks the stack has (`stack.hasAny`): in the run that the calling
   * code is in, else in one that begins before `body` and ends with its promise. Where `body` gives no promise of its end
   * (a stream), `begin`, `inside` and `run.finish` do the same by hand.
   *
   * @throws what `body` threw, unchanged.
   */
  direct<T>(kind: Kind, body: () => Promise<T>, options: RunOptions = {}): Promise<T> {
    if (this.current !== undefined) return body();
    const run = this.begin(options);
    let answer: Promise<T>;
    try {
      answer = this.inside(run, kind, body);
    } catch (error) {
      run.failed(error);
      void run.finish();
      throw error;
    }
    return answer.then(
      (value) => run.finish()?.then(() => value) ?? value,
      (error: unknown) => {
        run.failed(error);
        const failed = (): never => {
          throw error;
        };
        return run.finish()?.then(failed) ?? failed();
      },
    );
  }

  /** Runs `body` in a run that no layer leads into: what is called in it finds the run, where there is something to find. */
  inside<T>(run: Run, kind: Kind, body: () => T): T {
    const { ambient } = run;
    if (ambient === undefined || !run.carries) return body();
    return ambient.run({ runtime: run, call: run.identify(kind, this.callAround(run)) }, body);
  }

  /**
   * One call: in `within`, by default in the run that the calling code is in, else in a run of its own, which ends with the
   * answer, read or let go.
   *
   * @throws what a layer or the core threw, unchanged.
   */
  call<K extends Kind>(
    kind: K,
    request: Request<K>,
    core: CallCore<K>,
    options: RunOptions = {},
    within: InRun | undefined = this.current,
  ): Promise<Outcome<Chunk<K>, Final<K>>> {
    return this.enter(({ run, call }) => this.stack.call(kind, run, request, core, call), options, within);
  }

  /**
   * Makes a call as `call` does, for who has something to do in the run before it: sets what it brought along,
   * assembles the prompt.
   */
  async enter<O extends Outcome<unknown, unknown>>(
    work: (within: InRun) => Promise<O>,
    options: RunOptions = {},
    within: InRun | undefined = this.current,
  ): Promise<O> {
    if (within !== undefined) return work(within);
    const run = this.begin(options);
    try {
      const outcome = await work({ run, call: this.callAround(run) });
      void outcome.settled.then(() => run.end());
      return outcome;
    } catch (error) {
      run.failed(error);
      await run.end();
      throw error;
    }
  }

  #owns(runtime: RuntimeContext): boolean {
    return (runtime as Partial<Run>).owner === this.#owner;
  }
}

/** Work that goes on after its run belongs to no run. */
function hasEnded(runtime: RuntimeContext): boolean {
  return (runtime as Partial<Run>).ended === true;
}

const idNames = ["userId", "sessionId", "tenantId"] as const;

/** Returns the ids and values of a run: those of the application, else those of the framework, else those of the parent. */
function idsOf(
  identity: RunIdentity | undefined,
  options: RunOptions,
  parent: RuntimeContext | undefined,
): Partial<RunOptions> {
  if (identity === undefined && parent === undefined) return {};
  const ids: { -readonly [Id in (typeof idNames)[number]]?: string | undefined } = {};
  for (const name of idNames) ids[name] = identity?.[name] ?? options[name] ?? parent?.[name];
  if (identity?.values === undefined) return ids;
  return { ...ids, values: [...(options.values ?? []), ...identity.values] };
}
