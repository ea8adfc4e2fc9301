export type { RunAttributes } from "./attributes/of-run.js";
export { type ContentCapture, DEFAULT_CONTENT_LIMIT } from "./content/capture.js";
export { callContext } from "./context/record.js";
export type { PropagateTo } from "./context/targets.js";
export type { Dialect } from "./dialect.js";
export { TracingError, type TracingErrorCode } from "./errors.js";
export { type Evaluation, type EvaluationOptions, recordEvaluation } from "./logs/evaluation.js";
export type {
  EventLogger,
  EventLoggerProvider,
  EventRecord,
  LogAttributes,
  LogValue,
  Severity,
} from "./logs/logger.js";
export type { EventSignal } from "./logs/signal.js";
export type { Price } from "./spans/cost.js";
export { type TracingOptions, type TracingPlugin, tracing } from "./tracing.js";
