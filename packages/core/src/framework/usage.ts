import type { RuntimeContext } from "../contract/runtime.js";
import { type StateKey, stateKey } from "../contract/state-key.js";
import { usageKey } from "../contract/usage.js";
import type { Run } from "../engine/run.js";
import type { Usage } from "../messages/message.js";

/** Tokens of all model calls of a run, those of its sub-agents and of before a suspension included. */
const totalKey: StateKey<Usage> = {
  ...stateKey<Usage>("framework.usage", () => ({ inputTokens: 0, outputTokens: 0 }), {
    save: (usage) => usage,
    load: (stored) => stored as Usage,
  }),
  // A run and one within it may be of adapters that have a copy of this package each.
  id: Symbol.for("@suite/core/framework.usage"),
};

/** Lets plugins see what the model calls of a run have used: `usageOf`. */
export const tellUsage = (run: RuntimeContext): void => run.set(usageKey, () => run.get(totalKey));

/** Counts what one answer of a model has used, for its run and for all runs that this one is within. */
export function countUsage(run: RuntimeContext, usage: Usage | undefined): void {
  if (usage === undefined) return;
  for (let at: RuntimeContext | undefined = run; at !== undefined; at = at.parent) {
    if ((at as Partial<Run>).ended === true) return;
    at.set(totalKey, sumUsage(at.get(totalKey), usage));
  }
}

/** Returns the tokens of both, of each kind. A count of a provider that is no finite number from 0 up counts as none. */
export function sumUsage(a: Usage, b: Usage): Usage {
  const total: Record<string, number> = { inputTokens: 0, outputTokens: 0 };
  for (const [name, count] of [...Object.entries(a), ...Object.entries(b)] as [string, unknown][]) {
    const counts = typeof count === "number" && Number.isFinite(count) && count >= 0;
    if (counts) total[name] = (Object.hasOwn(total, name) ? (total[name] as number) : 0) + count;
  }
  return total as unknown as Usage;
}
