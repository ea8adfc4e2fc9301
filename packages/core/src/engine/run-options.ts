import type { CallId } from "../contract/kinds.js";
import type { Plugin } from "../contract/plugin.js";
import type { AgentInfo, RuntimeContext } from "../contract/runtime.js";
import type { StateKey } from "../contract/state-key.js";

/** The run and the call that code is in, for an `AsyncLocalStorage`, where a runtime has one. */
export interface Current {
  readonly runtime: RuntimeContext;
  readonly call: CallId;
}

/** The part of `AsyncLocalStorage<Current>` that core uses. */
export interface Ambient {
  run<T>(current: Current, body: () => T): T;
}

/** The options that a run is begun with. */
export interface RunOptions {
  readonly agent?: AgentInfo | undefined;
  /** The run's id, given when a suspended run goes on; new otherwise. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * The effect of an abort of `signal`. `stop`, as by default: everything at work ends as cancelled, and nothing begins any
   * more. `tell`: layers and tools hear of it through the run's signal, and the framework itself decides what still ends,
   * and what still begins.
   */
  readonly onAbort?: "stop" | "tell" | undefined;
  /** The run of which this one is a tool. */
  readonly parent?: RuntimeContext | undefined;
  /** The state that `save()` gave before the run was suspended. */
  readonly durable?: Readonly<Record<string, unknown>> | undefined;
  /** Values that the caller gives the run, under keys: `Values`. They are there before the first `begin`. */
  readonly values?: Iterable<readonly [StateKey<unknown>, unknown]> | undefined;
  /** An `AsyncLocalStorage`, so that code which is handed nothing finds the run. Left out, nothing depends on it. */
  readonly ambient?: Ambient | undefined;
  /** Plugins of single tools: they begin, observe and redact with the others. */
  readonly toolPlugins?: readonly Plugin[] | undefined;
}
