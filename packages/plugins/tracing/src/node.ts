export { type ConsoleTreeOptions, consoleTree } from "./node/console-tree.js";
export { compensatingIdGenerator } from "./node/id-generator.js";
export type { MetricsOptions } from "./node/metrics.js";
export { type ExitOptions, redactingExporter } from "./node/redacting-exporter.js";
export { type SetupOptions, setupTracing, type TracingSetup } from "./node/setup.js";
