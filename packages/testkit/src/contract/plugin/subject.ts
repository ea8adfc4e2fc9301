import type { Awaitable, Plugin } from "@suite/core";
import type { PluginAct } from "./act.js";

/** A plugin, as the contract tests see it. */
export interface PluginSubject {
  /** A new instance, made as a user makes it; of a plugin that acts on purpose, one that finds no reason to. */
  create(): Awaitable<Plugin>;
  /** Whether it changes harmless answers too: then only that it does so always alike is checked. */
  readonly changes?: boolean;
  /**
   * Returns true for errors with which a guard that fails closed refuses unreadable content. Without it, nothing may be
   * refused.
   */
  mayRefuse?(error: unknown): boolean;
  /** The acts that it does on purpose: ends a run at a limit, refuses a call, answers from a cache, asks a person. */
  readonly acts?: readonly PluginAct[];
}
