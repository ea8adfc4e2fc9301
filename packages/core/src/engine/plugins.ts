import type { Kind } from "../contract/kinds.js";
import type { HookName, Plugin } from "../contract/plugin.js";
import { CoreError } from "../errors.js";

/** Every kind there is, outer before inner. */
export const kinds: readonly Kind[] = ["agent", "reasoning", "model", "tool", "humanInput", "compressContext"];

/** Every hook that an adapter may or may not have a place for. */
export const hookNames: readonly HookName[] = [...kinds, "systemPrompt", "tools", "observe"];

/** @throws CoreError `ERR_INVALID_PLUGIN`, naming the place in the list. */
export function checkPlugins(plugins: readonly Plugin[]): void {
  if (!Array.isArray(plugins)) throw invalid("The plugins must be a list, as in [tracing(), guard].");
  for (const [index, plugin] of plugins.entries()) {
    if (typeof plugin === "function") throw invalid(`Plugin ${index} is a function. Call it: tracing(), not tracing.`);
    if (typeof plugin !== "object" || plugin === null) throw invalid(`Plugin ${index} is not an object.`);
    if (typeof plugin.name !== "string" || plugin.name === "") throw invalid(`Plugin ${index} has no name.`);
    for (const name of [...hookNames, "observesAttempts", "begin", "end", "close"] as const) {
      const hook = plugin[name] as { process?: unknown } | null | undefined;
      if (hook !== undefined && typeof (hook?.process ?? hook) !== "function") {
        throw invalid(`${name} of plugin ${plugin.name} is not a function.`);
      }
    }
  }
}

/**
 * Two lists as one, none doubled: the same plugin counts once, and of two `single` plugins of one name the later one
 * takes the earlier one's place.
 */
export function joinPlugins(first: readonly Plugin[], more: readonly Plugin[]): readonly Plugin[] {
  const joined: Plugin[] = [];
  for (const plugin of [...first, ...more]) {
    if (joined.includes(plugin)) continue;
    const twin = plugin.single === true ? joined.findIndex((other) => other.single && other.name === plugin.name) : -1;
    if (twin < 0) joined.push(plugin);
    else joined[twin] = plugin;
  }
  return joined;
}

const invalid = (message: string): CoreError => new CoreError("ERR_INVALID_PLUGIN", message);
