import type { LogAttributes, LogValue } from "../../logs/logger.js";
import type { ExportedLog } from "../redact/exported-log.js";
import type { LogExporter } from "../redact/log-exporter.js";
import { Backlog } from "./backlog.js";

/** `LogRecordProcessor` of `@opentelemetry/sdk-logs`, which is an optional peer. */
export interface LogProcessor {
  onEmit(log: ExportedLog): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/** The SDK's limit of waiting records. */
const MOST_WAITING = 2048;

/** The limits of waiting log records. */
export interface LogBounds {
  /** Maximum number of waiting records, whatever their size. */
  readonly mostWaiting?: number | undefined;
  /** Called when a record was dropped. */
  dropped(): void;
}

/**
 * Adds a size limit to the SDK's batch processor of log records: with the content of model calls, 2,048 of them can be
 * a gigabyte.
 *
 * @param batched creates the SDK's processor around an exporter
 */
export function boundedLogs(
  exporter: LogExporter,
  { mostWaiting = MOST_WAITING, dropped }: LogBounds,
  batched: (exporter: LogExporter) => LogProcessor,
): LogProcessor {
  const backlog = new Backlog<ExportedLog>(mostWaiting);
  const batch = batched({
    export(logs, done) {
      const release = backlog.leave(logs);
      exporter.export(logs, (result) => {
        release();
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  });
  return {
    onEmit(log) {
      if (!backlog.admits(log, sizeOf(log))) {
        dropped();
        return;
      }
      batch.onEmit(log);
      if (backlog.isFull) batch.forceFlush().catch(() => {});
    },
    forceFlush: () => batch.forceFlush(),
    shutdown: () => batch.shutdown(),
  };
}

/** Estimated bytes of a record's objects, times and ids, and of one value in it. */
const RECORD = 1024;
const ENTRY = 32;
/** A string with characters outside Latin-1 takes two bytes per character. */
const CHARACTER = 2;
/**
 * Maximum number of values that are counted. A record with more values, or with a cycle, gets the size at this number.
 */
const MOST_VALUES = 100_000;

/** Estimates the memory of a record in bytes. The estimate is rather too high than too low. */
function sizeOf({ body, attributes }: ExportedLog): number {
  let size = RECORD;
  const values: (LogValue | LogAttributes)[] = [body, attributes];
  for (let i = 0; i < values.length && i < MOST_VALUES; i++) {
    const value = values[i];
    size += ENTRY;
    if (typeof value === "string") size += CHARACTER * value.length;
    else if (ArrayBuffer.isView(value)) size += value.byteLength;
    else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) values.push(item);
  }
  return size;
}
