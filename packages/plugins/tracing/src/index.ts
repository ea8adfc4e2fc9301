export { type ContentCapture, DEFAULT_CONTENT_LIMIT } from "./content/capture.js";
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
export type { PropagateTo } from "./propagation/targets.js";
export type { Price } from "./spans/cost.js";
export { callContext } from "./spans/record.js";
export type { RunAttributes } from "./spans/run-attributes.js";
export { type TracingOptions, type TracingPlugin, tracing } from "./tracing.js";
