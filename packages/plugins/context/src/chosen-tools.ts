import { type StateKey, stateKey, type Tool } from "@suite/core";
import { isObject } from "@suite/core/options";
import { textsOf } from "./state.js";

/** The choice of a run: among which tools it was made, and which were chosen; undefined: all of them. */
export interface Choice {
  readonly among: readonly string[];
  readonly chosen: readonly string[] | undefined;
}

/** The key of a run's choice, which a suspension keeps. */
export const choiceKey = (name: string): StateKey<Choice | undefined> =>
  stateKey<Choice | undefined>(`${name}.choice`, () => undefined, {
    save: (choice) => choice ?? null,
    load: (stored) =>
      isObject(stored)
        ? { among: textsOf(stored.among), chosen: stored.chosen === undefined ? undefined : textsOf(stored.chosen) }
        : undefined,
  });

/** The tools that were chosen, those that always go, and those that have come since. */
export function toolsOf(
  tools: readonly Tool[],
  { among, chosen }: Choice,
  always: ReadonlySet<string>,
): readonly Tool[] {
  if (chosen === undefined) return tools;
  const known = new Set(among);
  const wanted = new Set(chosen);
  return tools.filter(({ name }) => wanted.has(name) || always.has(name) || !known.has(name));
}
