export { OpenAIAgentsError, type OpenAIAgentsErrorCode } from "./errors.js";
export { withPlugins } from "./with-plugins.js";
