/** The parts that a tracer provider of your own can be given. Needs no SDK: it fits that of versions 1 to 3, whichever you have. */
export { type ConsoleTreeOptions, consoleTree, type TreeProcessor } from "./node/console-tree.js";
export type { ExitOptions } from "./node/exit-redactor.js";
export type { ExportedLog } from "./node/exported-log.js";
export type { ExportedResource, ExportedResult, ExportedSpan, Exporter, LogScope } from "./node/exported-span.js";
export { compensatingIdGenerator, type IdGenerator } from "./node/id-generator.js";
export { redactingExporter } from "./node/redacting-exporter.js";
export { type LogExporter, redactingLogExporter } from "./node/redacting-log-exporter.js";
