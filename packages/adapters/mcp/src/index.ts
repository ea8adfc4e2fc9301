export { McpAdapterError, type McpAdapterErrorCode } from "./errors.js";
export { trusted } from "./transport/trusted.js";
export { type McpTarget, withPlugins } from "./with-plugins.js";
