import type { Attributes, HrTime, Link, SpanContext, SpanKind, SpanStatus } from "@opentelemetry/api";
import type { LogAttributes } from "../../logs/logger.js";

// The SDK's types are those of one version. Exports for a user's tracer provider must fit all versions, and compile
// without any installed.

/** The scope that emitted a span or a log record. */
export interface LogScope {
  readonly name: string;
  readonly version?: string;
  readonly schemaUrl?: string;
  readonly attributes?: LogAttributes;
  readonly droppedAttributesCount?: number;
}

/** A resource of the SDK's versions 1 to 3. */
export interface ExportedResource {
  readonly attributes: Attributes;
  readonly asyncAttributesPending?: boolean;
}

/** An event within a span. */
interface ExportedEvent {
  readonly name: string;
  readonly time: HrTime;
  readonly attributes?: Attributes;
}

/** A span as exporters receive it: `ReadableSpan` of the SDK's versions 1 to 3. */
export interface ExportedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly spanContext: () => SpanContext;
  /** The parent's context, from version 2 on. */
  readonly parentSpanContext?: SpanContext;
  /** The parent's id in version 1. */
  readonly parentSpanId?: string;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly duration: HrTime;
  readonly ended: boolean;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly events: ExportedEvent[];
  readonly links: Link[];
  readonly resource: ExportedResource;
  /** The scope, from version 2 on. */
  readonly instrumentationScope?: LogScope;
  /** The scope in version 1. */
  readonly instrumentationLibrary?: LogScope;
  readonly droppedAttributesCount: number;
  readonly droppedEventsCount: number;
  readonly droppedLinksCount: number;
}

/** The result of an export. Code 0 means success. */
export interface ExportedResult {
  readonly code: number;
  readonly error?: Error;
}

/** `SpanExporter` of the SDK's versions 1 to 3. */
export interface Exporter<Span> {
  export(spans: Span[], done: (result: ExportedResult) => void): void;
  shutdown(): Promise<void>;
  forceFlush?(): Promise<void>;
}
