import type { Redactor } from "@suite/core";
import { type ExitOptions, ExitRedactor } from "./exit-redactor.js";
import type { ExportedLog } from "./exported-log.js";
import type { ExportedResult } from "./exported-span.js";
import { redactLog } from "./log.js";

/** `LogRecordExporter` of `@opentelemetry/sdk-logs`, which is an optional peer. */
export interface LogExporter {
  export(logs: ExportedLog[], done: (result: ExportedResult) => void): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/**
 * Creates an exporter that redacts every log record before `exporter` receives it. This includes records of bridges of
 * `winston` or `pino`. Bytes are not redacted.
 *
 * @example
 * ```ts
 * new BatchLogRecordProcessor({ exporter: redactingLogExporter(new OTLPLogExporter(), pii().redactor) });
 * ```
 */
export function redactingLogExporter(exporter: LogExporter, redactor: Redactor, options?: ExitOptions): LogExporter {
  const exit = new ExitRedactor(redactor, options);
  return {
    export: (logs, done) =>
      exporter.export(
        logs.map((log) => redactLog(log, exit)),
        done,
      ),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
