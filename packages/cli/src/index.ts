export { type DiagnoseOptions, diagnose } from "./doctor/diagnose.js";
export type { Finding } from "./doctor/finding.js";
export { CliError, type CliErrorCode } from "./errors.js";
