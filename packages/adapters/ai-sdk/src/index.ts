export { pluginEmbeddingMiddleware } from "./embedding/middleware.js";
export { AiSdkError, type AiSdkErrorCode } from "./errors.js";
export { pluginMiddleware } from "./middleware.js";
export { withPlugins } from "./with-plugins.js";
