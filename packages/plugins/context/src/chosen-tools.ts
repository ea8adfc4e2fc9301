import { type StateKey, stateKey, type Tool } from "@suite/core";
import { isObject } from "@suite/kit";
import { textsOf } from "./state.js";

/** The tool choice of a run: the candidates and the chosen tools. If `chosen` is undefined, all tools are used. */
export interface Choice {
  readonly among: readonly string[];
  readonly chosen: readonly string[] | undefined;
}

/** Returns the key of a run's choice. It is saved by a suspension. */
export const choiceKey = (name: string): StateKey<Choice | undefined> =>
  stateKey<Choice | undefined>(`${name}.choice`, () => undefined, {
    save: (choice) => choice ?? null,
    load: (stored) =>
      isObject(stored)
        ? { among: textsOf(stored.among), chosen: stored.chosen === undefined ? undefined : textsOf(stored.chosen) }
        : undefined,
  });

/** Returns the chosen tools, the tools that are always included, and tools added since. */
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
