import type { Usage } from "../messages/message.js";
import type { RuntimeContext } from "./runtime.js";
import { sharedKey } from "./state-key.js";

/** The key of the function that returns the usage of a run's model calls. Set by the adapter. */
export const usageKey = sharedKey<(() => Usage) | undefined>("usage", () => undefined);

/**
 * Returns the tokens used so far by a run's model calls, including sub-agents, earlier attempts and the time before a
 * suspension. Returns `undefined` if the adapter does not count them.
 */
export const usageOf = (runtime: RuntimeContext): Usage | undefined => runtime.get(usageKey)?.();
