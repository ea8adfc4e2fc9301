import type { HrTime, SpanContext } from "@opentelemetry/api";
import type { LogAttributes, LogValue } from "../logs/logger.js";
import type { ExitRedactor } from "./exit-redactor.js";
import type { ExportedResource } from "./exported-span.js";

/** The scope that emitted a log record. */
export interface LogScope {
  readonly name: string;
  readonly version?: string;
  readonly schemaUrl?: string;
  readonly attributes?: LogAttributes;
  readonly droppedAttributesCount?: number;
}

/** A log record as its exporter gets it: `ReadableLogRecord` of `@opentelemetry/sdk-logs`, which is an optional peer. */
export interface ExportedLog {
  readonly hrTime: HrTime;
  readonly hrTimeObserved: HrTime;
  readonly spanContext?: SpanContext;
  readonly severityText?: string;
  readonly severityNumber?: number;
  readonly body?: LogValue;
  readonly eventName?: string;
  readonly resource: ExportedResource;
  readonly instrumentationScope: LogScope;
  readonly attributes: LogAttributes;
  readonly droppedAttributesCount: number;
}

/** A copy of a log record with everything redacted that can hold text: body, attributes and their keys, names, resource, scope. */
export function redactLog(log: ExportedLog, exit: ExitRedactor): ExportedLog {
  const { spanContext, severityText, severityNumber, body, eventName } = log;
  return {
    hrTime: log.hrTime,
    hrTimeObserved: log.hrTimeObserved,
    ...(spanContext !== undefined && { spanContext }),
    ...(severityText !== undefined && { severityText: exit.text(severityText) }),
    ...(severityNumber !== undefined && { severityNumber }),
    ...(body !== undefined && { body: exit.value(body) as LogValue }),
    ...(eventName !== undefined && { eventName: exit.text(eventName) }),
    resource: exit.resource(log.resource),
    instrumentationScope: exit.scope(log.instrumentationScope),
    attributes: exit.recorded(log.attributes),
    droppedAttributesCount: log.droppedAttributesCount,
  };
}
