import type { CallId } from "../contract/kinds.js";
import type { Plugin } from "../contract/plugin.js";
import type { AgentInfo, RuntimeContext } from "../contract/runtime.js";
import type { StateKey } from "../contract/state-key.js";

/** The current run and call, for an `AsyncLocalStorage`. */
export interface Current {
  readonly runtime: RuntimeContext;
  readonly call: CallId;
}

/** The part of `AsyncLocalStorage<Current>` that core uses. */
export interface Ambient {
  run<T>(current: Current, body: () => T): T;
}

/** Options of a new run. */
export interface RunOptions {
  /** The agent that the run belongs to. */
  readonly agent?: AgentInfo | undefined;
  /** The run's id. Pass it to resume a suspended run. Default: a new id. */
  readonly runId?: string | undefined;
  /** The conversation that the run belongs to. */
  readonly sessionId?: string | undefined;
  /** The person that the run acts for. */
  readonly userId?: string | undefined;
  /** The customer or organisation that the user belongs to. */
  readonly tenantId?: string | undefined;
  /** Cancels the run when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The effect of an abort of `signal`. `stop` (default): all work ends as cancelled, and no new work begins. `tell`:
   * layers and tools receive the abort through the run's signal, and the framework decides which work still ends or
   * begins.
   */
  readonly onAbort?: "stop" | "tell" | undefined;
  /** The run that called this one as a tool. */
  readonly parent?: RuntimeContext | undefined;
  /** The result of `save()` before the run was suspended. */
  readonly durable?: Readonly<Record<string, unknown>> | undefined;
  /** Values of the caller under typed keys: `Values`. They are set before the first `begin`. */
  readonly values?: Iterable<readonly [StateKey<unknown>, unknown]> | undefined;
  /** An `AsyncLocalStorage`, so that code finds the current run without a parameter. Optional. */
  readonly ambient?: Ambient | undefined;
  /** Plugins of single tools. They begin, observe and redact like the others. */
  readonly toolPlugins?: readonly Plugin[] | undefined;
}
