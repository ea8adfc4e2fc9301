export { type ContentCapture, DEFAULT_CONTENT_LIMIT } from "./content/capture.js";
export { TracingError, type TracingErrorCode } from "./errors.js";
export { type TracingOptions, type TracingPlugin, tracing } from "./tracing.js";
