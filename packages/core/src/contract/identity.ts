import type { StateKey } from "./state-key.js";

/** Ids and values of a run that only the application knows. Returned by the option `run`. */
export interface RunIdentity {
  /** The person that the run acts for. Unique in the whole application, also across tenants. */
  readonly userId?: string | undefined;
  /** The conversation (`gen_ai.conversation.id`). Unique in the whole application. */
  readonly sessionId?: string | undefined;
  /** The customer or organisation that the user belongs to. */
  readonly tenantId?: string | undefined;
  /** Values for plugins and tools, under typed keys. They are set before the first plugin's `begin`. */
  readonly values?: Iterable<readonly [StateKey<unknown>, unknown]> | undefined;
}

/** The options of `withPlugins`. */
export interface WithPluginsOptions {
  /**
   * Returns the ids of a run that begins now. Called once per run. It may read an `AsyncLocalStorage`, and must not
   * return a promise. If it throws, the call fails with that error.
   */
  readonly run?: (() => RunIdentity | undefined) | undefined;
}
