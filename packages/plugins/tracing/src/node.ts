export type { OtlpProtocol } from "./node/export/protocol.js";
export type { LogsOptions } from "./node/logs.js";
export type { MetricsOptions } from "./node/metrics.js";
export { type SetupOptions, setupTracing, type TracingSetup } from "./node/setup.js";
export * from "./own-provider.js";
