/** Creates plugins from single functions. */
export { afterAgent, afterModel } from "./hooks/after.js";
export { beforeAgent, beforeModel } from "./hooks/before.js";
export type { AfterOptions, Change, HookOptions, Jump } from "./hooks/jump.js";
export type { FunctionOptions } from "./hooks/plugin.js";
export { dynamicPrompt } from "./hooks/prompt.js";
export { wrapModelCall, wrapToolCall } from "./hooks/wrap.js";
