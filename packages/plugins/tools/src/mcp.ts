export { ToolsError, type ToolsErrorCode } from "./errors.js";
export type { Elicit, Elicitation, ElicitedIn } from "./mcp/elicitations.js";
export { type McpProgress, type McpToolsOptions, mcpTools } from "./mcp-tools.js";
