import type { ReadableSpan, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Redactor } from "@suite/core";
import { type ExitOptions, ExitRedactor } from "./exit-redactor.js";
import { redactSpan } from "./redact-span.js";

/** Milliseconds after which the rest of the program has its turn: a batch may hold megabytes of text. */
const TURN = 20;

const FAILED = 1;

/**
 * An exporter that redacts every span before `exporter` gets it, whoever made the span: HTTP and database
 * instrumentations and a framework's own telemetry too.
 *
 * It cannot reach exporters that it does not wrap, nor metrics; log records have `redactingLogExporter`. Where the redactor
 * throws, the batch is not sent.
 *
 * @example
 * ```ts
 * new BatchSpanProcessor(redactingExporter(new OTLPTraceExporter(), pii().redactor));
 * ```
 */
export function redactingExporter(exporter: SpanExporter, redactor: Redactor, options?: ExitOptions): SpanExporter {
  const exit = new ExitRedactor(redactor, options);
  return {
    export(spans, done) {
      const redacted: ReadableSpan[] = [];
      const goOn = (): void => {
        const until = performance.now() + TURN;
        try {
          for (const span of spans.slice(redacted.length)) {
            redacted.push(redactSpan(span, exit));
            if (performance.now() > until) break;
          }
        } catch (error) {
          // What a redactor fails for is not sent.
          done({ code: FAILED, error: error instanceof Error ? error : new Error(String(error)) });
          return;
        }
        if (redacted.length < spans.length) setImmediate(goOn);
        else exporter.export(redacted, done);
      };
      goOn();
    },
    shutdown: () => exporter.shutdown(),
    async forceFlush() {
      await exporter.forceFlush?.();
    },
  };
}

/** The same for a processor that reads spans when they end. It is given no span while it runs, so it cannot change one. */
export function redactingProcessor(processor: SpanProcessor, redactor: Redactor, options?: ExitOptions): SpanProcessor {
  const exit = new ExitRedactor(redactor, options);
  return {
    onStart: (span, parent) => processor.onStart(span, parent),
    onEnd: (span) => processor.onEnd(redactSpan(span, exit)),
    shutdown: () => processor.shutdown(),
    forceFlush: () => processor.forceFlush(),
  };
}
