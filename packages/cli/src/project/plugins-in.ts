import type { Plugin } from "@suite/core";

/** Returns the plugins that a module exports: as `plugins`, by default, or as a member of its default export. */
export function pluginsIn(module: Readonly<Record<string, unknown>>): readonly Plugin[] {
  const { plugins, default: byDefault } = module;
  const list =
    [plugins, byDefault, (byDefault as { plugins?: unknown } | undefined)?.plugins].find(Array.isArray) ?? [];
  return list.filter((each): each is Plugin => typeof each === "object" && each !== null && "name" in each);
}
