import type { SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Redactor } from "@suite/core";
import { type ExitOptions, ExitRedactor } from "./exit-redactor.js";
import { redactSpan } from "./span.js";

/**
 * Wraps a processor so that `onEnd` receives a redacted copy of each span. `onStart` receives the running span itself.
 */
export function redactingProcessor(processor: SpanProcessor, redactor: Redactor, options?: ExitOptions): SpanProcessor {
  const exit = new ExitRedactor(redactor, options);
  return {
    onStart: (span, parent) => processor.onStart(span, parent),
    onEnd: (span) => processor.onEnd(redactSpan(span, exit)),
    shutdown: () => processor.shutdown(),
    forceFlush: () => processor.forceFlush(),
  };
}
