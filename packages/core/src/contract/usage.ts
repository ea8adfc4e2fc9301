import type { Usage } from "../messages/message.js";
import type { RuntimeContext } from "./runtime.js";
import { sharedKey } from "./state-key.js";

/** The key of an adapter's count of what the model calls of a run use. */
export const usageKey = sharedKey<(() => Usage) | undefined>("usage", () => undefined);

/**
 * The tokens that a run's model calls have used so far, those of its sub-agents, of earlier attempts and of before a
 * suspension included. Undefined where the adapter does not count them.
 */
export const usageOf = (runtime: RuntimeContext): Usage | undefined => runtime.get(usageKey)?.();
