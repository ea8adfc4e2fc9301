export { LangChainAdapterError, type LangChainAdapterErrorCode } from "./errors.js";
export type { MiddlewareOptions } from "./middleware.js";
export { pluginMiddleware } from "./plugin-middleware.js";
export { type LangChain, withPlugins } from "./with-plugins.js";
