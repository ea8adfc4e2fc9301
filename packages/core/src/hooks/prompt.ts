import type { Plugin } from "../contract/plugin.js";
import type { Awaitable } from "../contract/protocol.js";
import type { RuntimeContext } from "../contract/runtime.js";
import { type FunctionOptions, pluginOf } from "./plugin.js";

/**
 * Changes the system prompt for each model call. `current` is the prompt from earlier plugins.
 *
 * @example
 * ```ts
 * dynamicPrompt((prompt) => `${prompt}\nToday is ${new Date().toDateString()}.`);
 * ```
 */
export const dynamicPrompt = (
  prompt: (current: string, runtime: RuntimeContext) => Awaitable<string>,
  options: FunctionOptions = {},
): Plugin => pluginOf("dynamicPrompt", prompt, options, { systemPrompt: prompt });
