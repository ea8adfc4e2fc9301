/** The parts for a tracer provider that you create. They need no SDK and fit the SDK's versions 1 to 3. */
export { type ConsoleTreeOptions, consoleTree, type TreeProcessor } from "./node/console/console-tree.js";
export { compensatingIdGenerator, type IdGenerator } from "./node/id-generator.js";
export type { ExitOptions } from "./node/redact/exit-redactor.js";
export type { ExportedLog } from "./node/redact/exported-log.js";
export type {
  ExportedResource,
  ExportedResult,
  ExportedSpan,
  Exporter,
  LogScope,
} from "./node/redact/exported-span.js";
export { type LogExporter, redactingLogExporter } from "./node/redact/log-exporter.js";
export { redactingExporter } from "./node/redact/span-exporter.js";
