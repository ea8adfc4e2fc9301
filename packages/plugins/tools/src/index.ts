export { ToolsError, type ToolsErrorCode } from "./errors.js";
export { type ToolEmulatorOptions, toolEmulator } from "./tool-emulator.js";
