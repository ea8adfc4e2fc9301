/** The engine: what adapters run a framework's calls with. Plugins need none of it. */
export { type AdapterDefinition, defineAdapter, type WithPlugins } from "./engine/adapter.js";
export { type CallCore, Frame } from "./engine/call.js";
export { type Ambient, type Current, Run, type RunOptions } from "./engine/run.js";
export { type Composed, compose, PluginStack } from "./engine/stack.js";
export { rememberConversion } from "./messages/conversion.js";
