import type { Awaitable, Kind, Plugin } from "@suite/core";

/**
 * An act of a plugin on purpose: a limit ends or refuses a call, a cache answers it, an approval suspends it. The contract
 * tests make `after` calls of the kind in one run, which must pass, and then one more, on which the plugin acts.
 */
export interface PluginAct {
  /** The name for the test, such as "ends the run at its limit". */
  readonly name: string;
  readonly kind: Kind;
  /** The number of calls of a run that pass before it. */
  readonly after: number;
  /** A new instance that acts so. */
  create(): Awaitable<Plugin>;
  /** The result of the call: an answer in place of the inner layers, an error, or a suspension. */
  readonly by: "answer" | "error" | "suspension";
  /** Whether this is the answer, the error, or the pending calls that it is meant to give. */
  is(given: unknown): boolean;
  /** A new instance in monitor mode, where it has one: everything passes, and the act is told as not enforced. */
  monitor?(): Awaitable<Plugin>;
  /** Whether what it remembers is common to all runs, as a cache's content is. Left out: each run begins anew. */
  readonly shared?: boolean;
  /** Whether what it counts survives a suspension: a run that goes on acts where the run before it would have. */
  readonly durable?: boolean;
}
