import { checkOptions, invalidOption } from "../checked.js";
import type { Tool } from "../contract/kinds.js";
import type { Plugin } from "../contract/plugin.js";
import { type Check, name } from "../options.js";

/** Options of all plugins that are created from one function. */
export interface FunctionOptions {
  /** The plugin's name. Default: the name of the creating function. */
  readonly name?: string;
  /** Tools that the plugin offers in addition to its function. Adapters that do not serve `tools` reject them. */
  readonly tools?: readonly Tool[];
}

const tools: Check = (value) =>
  Array.isArray(value) && value.every((tool) => name((tool as Tool | null)?.name) === undefined)
    ? undefined
    : "a list of tools";

/**
 * Creates a plugin from one function.
 *
 * @param of the name of the creating function, which is the plugin's default name.
 * @param checks checks of further options.
 * @throws CoreError `ERR_INVALID_OPTION`
 */
export function pluginOf(
  of: string,
  hook: unknown,
  options: FunctionOptions,
  hooks: Omit<Plugin, "name">,
  checks: Readonly<Record<string, Check>> = {},
): Plugin {
  if (typeof hook !== "function") throw invalidOption(`${of}() takes a function, and options after it.`);
  const checked = checkOptions(of, options, { name, tools, ...checks });
  const offered = checked.tools;
  return { name: checked.name ?? of, ...hooks, ...(offered !== undefined && { tools: () => offered }) };
}
