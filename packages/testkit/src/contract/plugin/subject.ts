import type { Awaitable, Plugin } from "@suite/core";
import type { PluginAct } from "./act.js";

/** A plugin, as the contract tests see it. */
export interface PluginSubject {
  /** Creates a new instance, as a user would. A plugin with an intended act must not have a reason for it. */
  create(): Awaitable<Plugin>;
  /** True if it changes harmless answers, too. Then the tests only check that it always makes the same change. */
  readonly changes?: boolean;
  /**
   * Returns true for the errors of a guard that fails closed on unreadable content. Without it, nothing may be
   * refused.
   */
  mayRefuse?(error: unknown): boolean;
  /** The intended acts: it ends a run at a limit, refuses a call, answers from a cache, or asks a person. */
  readonly acts?: readonly PluginAct[];
}
