/** The engine that adapters use to run a framework's calls. Plugins do not need it. */
export type { Accepted, AcceptedPlugins, RequiredHooks } from "./contract/adapter.js";
export type { Answer, CallCore } from "./contract/call.js";
export type { RunIdentity, WithPluginsOptions } from "./contract/identity.js";
export { usageKey } from "./contract/usage.js";
export { type AdapterDefinition, defineAdapter, type WithPlugins } from "./engine/adapter.js";
export { askThrough } from "./engine/ask.js";
export { Frame } from "./engine/frame.js";
export { identifyOf } from "./engine/identity.js";
export { hookNames, kinds } from "./engine/plugins.js";
export { Run } from "./engine/run.js";
export type { Ambient, Current, RunOptions } from "./engine/run-options.js";
export { bothRules, type Composed, compose, PluginStack } from "./engine/stack.js";
export { rememberConversion } from "./messages/conversion.js";
export { sourcesOf } from "./messages/sources.js";
