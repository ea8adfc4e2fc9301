import type { SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Redactor } from "@suite/core";
import { SpanRedactor } from "./redact-span.js";

/** What redaction at the exit leaves alone. */
export interface ExitOptions {
  /** Further attribute keys to leave as they are, such as `net.peer.name`. Ids and `service.*` are left anyway. */
  readonly exempt?: readonly string[];
}

/**
 * An exporter that redacts every span before `exporter` gets it, whoever made the span: HTTP and database
 * instrumentations and a framework's own telemetry too.
 *
 * It cannot reach exporters that it does not wrap, nor logs and metrics.
 *
 * @example
 * ```ts
 * new BatchSpanProcessor(redactingExporter(new OTLPTraceExporter(), pii().redactor));
 * ```
 */
export function redactingExporter(
  exporter: SpanExporter,
  redactor: Redactor,
  { exempt }: ExitOptions = {},
): SpanExporter {
  const redact = new SpanRedactor(redactor, exempt);
  return {
    export: (spans, done) =>
      exporter.export(
        spans.map((span) => redact.span(span)),
        done,
      ),
    shutdown: () => exporter.shutdown(),
    async forceFlush() {
      await exporter.forceFlush?.();
    },
  };
}

/** The same for a processor that reads spans when they end. It is given no span while it runs, so it cannot change one. */
export function redactingProcessor(
  processor: SpanProcessor,
  redactor: Redactor,
  { exempt }: ExitOptions = {},
): SpanProcessor {
  const redact = new SpanRedactor(redactor, exempt);
  return {
    onStart: (span, parent) => processor.onStart(span, parent),
    onEnd: (span) => processor.onEnd(redact.span(span)),
    shutdown: () => processor.shutdown(),
    forceFlush: () => processor.forceFlush(),
  };
}
