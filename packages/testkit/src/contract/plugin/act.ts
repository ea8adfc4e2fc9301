import type { Awaitable, Kind, Plugin } from "@suite/core";

/**
 * An intended act of a plugin: a limit ends or refuses a call, a cache answers it, an approval suspends it. The
 * contract tests make `after` calls of the kind in one run, which must pass, and then one more, on which the plugin
 * acts.
 */
export interface PluginAct {
  /** The name for the test, such as "ends the run at its limit". */
  readonly name: string;
  readonly kind: Kind;
  /** The number of calls in a run that pass before the act. */
  readonly after: number;
  /** Creates a new instance that performs the act. */
  create(): Awaitable<Plugin>;
  /** The result of the call: an answer in place of the inner layers, an error, or a suspension. */
  readonly by: "answer" | "error" | "suspension";
  /** Returns true if this is the expected answer, error or pending calls. */
  is(given: unknown): boolean;
  /**
   * Creates a new instance in monitor mode, if the plugin has one: everything passes, and the act is reported as not
   * enforced.
   */
  monitor?(): Awaitable<Plugin>;
  /**
   * True if its memory is shared by all runs, as the content of a cache is. By default each run starts without memory.
   */
  readonly shared?: boolean;
  /** True if its counts survive a suspension: a resumed run acts at the same point as an uninterrupted one. */
  readonly durable?: boolean;
}
