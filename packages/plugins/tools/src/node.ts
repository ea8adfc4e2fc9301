export { ToolsError, type ToolsErrorCode } from "./errors.js";
export { type FileSearchOptions, fileSearch } from "./file-search.js";
export type { ContainerOptions } from "./shell/policies/container.js";
export type { SandboxOptions } from "./shell/policies/sandbox.js";
export { type ShellOptions, shell } from "./shell.js";
