import type { CallCore } from "../contract/call.js";
import type { RunIdentity } from "../contract/identity.js";
import type { CallId, Chunk, Final, Kind, Request } from "../contract/kinds.js";
import type { Outcome } from "../contract/outcome.js";
import type { RuntimeContext } from "../contract/runtime.js";
import type { Run } from "../engine/run.js";
import type { RunOptions } from "../engine/run-options.js";
import type { PluginStack } from "../engine/stack.js";
import { ambientStorage } from "./ambient.js";

/** A run and the enclosing call, if any. */
export interface InRun {
  readonly run: Run;
  readonly call?: CallId | undefined;
}

/**
 * The runs of one wrapped target. A framework calls models and tools from many places: each such call belongs to the
 * run of the enclosing agent, or otherwise to a new run.
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

  /** @param owner `current` finds runs with the same owner. Default: this object. */
  constructor(stack: PluginStack, owner?: object) {
    this.stack = stack;
    this.#owner = owner ?? this;
  }

  /** The current run of this target, found through `AsyncLocalStorage`. */
  get current(): InRun | undefined {
    const current = ambientStorage()?.getStore();
    if (current === undefined || !this.#owns(current.runtime) || hasEnded(current.runtime)) return undefined;
    return { run: current.runtime as Run, call: current.call };
  }

  /**
   * Begins a run. Its parent is the current run, if any, also one of another adapter. With `parent: undefined` it has
   * no parent, as for an external request. Ids come from the option `run` of `withPlugins`, else from `options`, else
   * from the parent. Always end the run.
   *
   * @throws the error of the option `run`.
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

  /** Returns the current call if `run` was begun within it. It is the parent of the first calls in `run`. */
  callAround({ parent }: Run): CallId | undefined {
    const current = ambientStorage()?.getStore();
    return current?.runtime === parent ? current?.call : undefined;
  }

  /**
   * Calls the framework directly, for a path without any hooks (`stack.hasAny`). It uses the current run, or a new one
   * that begins before `body` and ends with its promise. If `body` returns no promise of its end (a stream), use
   * `begin`, `inside` and `run.finish` instead.
   *
   * @throws the error of `body`, unchanged.
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

  /** Runs `body` inside a run without a layer. Calls in `body` find the run, if it has anything to find. */
  inside<T>(run: Run, kind: Kind, body: () => T): T {
    const { ambient } = run;
    if (ambient === undefined || !run.carries) return body();
    return ambient.run({ runtime: run, call: run.identify(kind, this.callAround(run)) }, body);
  }

  /**
   * Makes one call: in `within`, by default the current run, or else in a new run that ends with the answer, read or
   * abandoned.
   *
   * @throws the error of a layer or the core, unchanged.
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

  /** Makes a call like `call`, for work that must happen in the run first: setting values, assembling the prompt. */
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

/** True if the run has ended. Later work does not belong to it. */
function hasEnded(runtime: RuntimeContext): boolean {
  return (runtime as Partial<Run>).ended === true;
}

const idNames = ["userId", "sessionId", "tenantId"] as const;

/** Returns the ids and values of a run: those of the application, else of the framework, else of the parent. */
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
