import {
  type Attributes,
  type Context,
  type Link,
  type SpanOptions,
  type TimeInput,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { type CallId, type Kind, redactorOf } from "@suite/core";
import { redactAttributes } from "../attributes/redact.js";
import { contextOf } from "../context/record.js";
import { cleanContext } from "../context/trace-context.js";
import { CallSpan } from "./call-span.js";
import type { Described, SpanShape } from "./shape.js";
import type { Tracing } from "./tracing.js";

/** The start of a span: its parent, links and time, and further attributes. */
export interface Start {
  readonly parent: Context;
  readonly links?: Link[] | undefined;
  readonly startTime?: TimeInput | undefined;
  readonly attributes?: Attributes;
}

/** Starts the span of a call. */
export function startSpan<K extends Kind>(
  shape: SpanShape<K>,
  { capture, events, ofRun }: Tracing,
  tracer: Tracer,
  call: CallId,
  described: Described<K>,
  { parent, links, startTime, attributes }: Start,
): CallSpan<K> {
  const redactor = redactorOf(described.runtime);
  // With `Object.assign`: a literal with several spreads creates new hidden classes for each span in Node 20.
  const initial: Attributes = Object.assign({}, ofRun(described.runtime), shape.identity(described), attributes);
  const identity = redactAttributes(initial, redactor);
  const options: SpanOptions = { kind: shape.spanKind, attributes: identity };
  if (links !== undefined) options.links = links;
  if (startTime !== undefined) options.startTime = startTime;
  const span = tracer.startSpan(shape.name(identity), options, cleanContext(parent, redactor));
  shape.started?.(span);
  const current = trace.setSpan(contextOf(parent, call), span);
  const writer = span.isRecording() ? capture(redactor) : undefined;
  const { detailsEvent } = shape;
  const details = detailsEvent === undefined ? undefined : events.details?.(detailsEvent, current, redactor);
  details?.add(identity);
  return new CallSpan(span, current, shape, described, redactor, writer, events.exceptions, details);
}
