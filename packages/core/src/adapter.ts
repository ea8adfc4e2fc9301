/** What only adapters need. */
export { type AdapterDefinition, defineAdapter, type WithPlugins } from "./engine/adapter.js";
export { rememberConversion } from "./messages/conversion.js";
