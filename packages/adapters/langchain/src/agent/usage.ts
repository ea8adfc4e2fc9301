import { type RuntimeContext, stateKey, type Usage, usageKey } from "@suite/core";
import type { Run } from "@suite/core/adapter";

/** Tokens of all model calls of a run, those of its sub-agents and of before a suspension included. */
const totalKey = stateKey<Usage>("langchain.usage", () => ({ inputTokens: 0, outputTokens: 0 }), {
  save: (usage) => usage,
  load: (stored) => stored as Usage,
});

/** Lets plugins see what the model calls of a run have used. */
export const tellUsage = (run: RuntimeContext): void => run.set(usageKey, () => run.get(totalKey));

/** Counts what one answer of a model has used, for its run and for all runs that this one is within. */
export function countUsage(run: RuntimeContext, usage: Usage | undefined): void {
  if (usage === undefined) return;
  for (let at: RuntimeContext | undefined = run; at !== undefined; at = at.parent) {
    if ((at as Partial<Run>).ended === true) return;
    at.set(totalKey, sum(at.get(totalKey), usage));
  }
}

/** The tokens of both, of each kind. */
export function sum(a: Usage, b: Usage): Usage {
  const total: Record<string, number> = { ...a };
  for (const [name, tokens] of Object.entries(b)) total[name] = (total[name] ?? 0) + (tokens ?? 0);
  return total as unknown as Usage;
}
