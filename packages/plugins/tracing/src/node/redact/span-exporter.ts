import type { Redactor } from "@suite/core";
import { isCrashing } from "../crash/crashing.js";
import { type ExitOptions, ExitRedactor } from "./exit-redactor.js";
import type { ExportedSpan, Exporter } from "./exported-span.js";
import { redactSpan } from "./span.js";

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
export function redactingExporter<Span extends ExportedSpan>(
  exporter: Exporter<Span>,
  redactor: Redactor,
  options?: ExitOptions,
): Exporter<Span> {
  const exit = new ExitRedactor(redactor, options);
  return {
    export(spans, done) {
      const redacted: Span[] = [];
      const goOn = (): void => {
        // A program that crashes has no other turn.
        const until = isCrashing() ? Number.POSITIVE_INFINITY : performance.now() + TURN;
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
