import type { RuntimeContext } from "../contract/runtime.js";
import { type StateKey, stateKey } from "../contract/state-key.js";
import { usageKey } from "../contract/usage.js";
import type { Run } from "../engine/run.js";
import type { Usage } from "../messages/message.js";

/** Tokens of all model calls of a run, including sub-agents and the time before a suspension. */
const totalKey: StateKey<Usage> = {
  ...stateKey<Usage>("framework.usage", () => ({ inputTokens: 0, outputTokens: 0 }), {
    save: (usage) => usage,
    load: (stored) => stored as Usage,
  }),
  // The adapters of a run and an inner run may each have their copy of this package.
  id: Symbol.for("@suite/core/framework.usage"),
};

/** Makes the usage of a run's model calls available to plugins: `usageOf`. */
export const tellUsage = (run: RuntimeContext): void => run.set(usageKey, () => run.get(totalKey));

/** Adds the usage of one model answer to its run and all enclosing runs. */
export function countUsage(run: RuntimeContext, usage: Usage | undefined): void {
  if (usage === undefined) return;
  for (let at: RuntimeContext | undefined = run; at !== undefined; at = at.parent) {
    if ((at as Partial<Run>).ended === true) return;
    at.set(totalKey, sumUsage(at.get(totalKey), usage));
  }
}

/** Returns the sum of both, per kind of token. A count that is not a finite number of at least 0 is ignored. */
export function sumUsage(a: Usage, b: Usage): Usage {
  const total: Record<string, number> = { inputTokens: 0, outputTokens: 0 };
  for (const [name, count] of [...Object.entries(a), ...Object.entries(b)] as [string, unknown][]) {
    const counts = typeof count === "number" && Number.isFinite(count) && count >= 0;
    if (counts) total[name] = (Object.hasOwn(total, name) ? (total[name] as number) : 0) + count;
  }
  return total as unknown as Usage;
}
