import type { Redactor } from "@suite/core";
import { isCrashing } from "../crash/crashing.js";
import { type ExitOptions, ExitRedactor } from "./exit-redactor.js";
import type { ExportedSpan, Exporter } from "./exported-span.js";
import { redactSpan } from "./span.js";

/** Milliseconds after which the rest of the program gets a turn: a batch may contain megabytes of strings. */
const TURN = 20;

const FAILED = 1;

/**
 * Creates an exporter that redacts every span before `exporter` receives it. This includes spans of HTTP and database
 * instrumentations and a framework's telemetry.
 *
 * Other exporters and metrics are not redacted. For log records use `redactingLogExporter`. If the redactor throws, the
 * batch is not sent.
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
        // A program that crashes gets no other turn.
        const until = isCrashing() ? Number.POSITIVE_INFINITY : performance.now() + TURN;
        try {
          for (const span of spans.slice(redacted.length)) {
            redacted.push(redactSpan(span, exit));
            if (performance.now() > until) break;
          }
        } catch (error) {
          // A batch that could not be redacted is not sent.
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
