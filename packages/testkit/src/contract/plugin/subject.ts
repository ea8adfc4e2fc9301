import type { Awaitable, Plugin } from "@suite/core";

/** A plugin, as the contract tests see it. */
export interface PluginSubject {
  /** A new instance, made as a user makes it. */
  create(): Awaitable<Plugin>;
  /** It changes harmless answers too: then only that it does so always alike is checked. */
  readonly changes?: boolean;
  /** Errors by which a guard that fails closed refuses what it cannot read. Without it, nothing may be refused. */
  mayRefuse?(error: unknown): boolean;
}
