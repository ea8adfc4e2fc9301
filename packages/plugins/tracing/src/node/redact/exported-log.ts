import type { HrTime, SpanContext } from "@opentelemetry/api";
import type { LogAttributes, LogValue } from "../../logs/logger.js";
import type { ExportedResource, LogScope } from "./exported-span.js";

/**
 * A log record as exporters receive it: `ReadableLogRecord` of `@opentelemetry/sdk-logs`, which is an optional peer.
 */
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
