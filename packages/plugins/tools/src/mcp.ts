export { ToolsError, type ToolsErrorCode } from "./errors.js";
export type { McpClient } from "./mcp/client.js";
export type { Elicit, Elicitation, ElicitedIn, ElicitResult } from "./mcp/elicitations.js";
export { type McpProgress, type McpToolsOptions, mcpTools } from "./mcp-tools.js";
