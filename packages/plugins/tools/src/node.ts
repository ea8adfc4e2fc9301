export { ToolsError, type ToolsErrorCode } from "./errors.js";
export { type FileSearchOptions, fileSearch } from "./file-search.js";
