import type { Plugin } from "../contract/plugin.js";
import { type Redactor, redactorsKey } from "../contract/redactor.js";
import type { RuntimeContext } from "../contract/runtime.js";

const none: readonly never[] = Object.freeze([]);

/** The redactors of the plugins, and of the run round this one. */
export function boundRedactors(plugins: readonly Plugin[], parent: RuntimeContext | undefined): readonly Redactor[] {
  const outer = parent?.get(redactorsKey) ?? none;
  const own = plugins.flatMap((plugin) => plugin.redactor ?? none);
  return own.length === 0 ? outer : Object.freeze([...outer, ...own]);
}
