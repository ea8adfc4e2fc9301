import type { Tracer } from "@opentelemetry/api";
import type { Kind, RuntimeContext, Settlement } from "@suite/core";
import type { AttemptNotification } from "@suite/core/contract";
import { usageAttributes } from "../attributes/common.js";
import { SUITE } from "../attributes/own-names.js";
import { recordOf } from "../context/record.js";
import { CallSpan } from "./call-span.js";
import { startSpan } from "./start.js";
import type { Tracing } from "./tracing.js";

/**
 * Creates the span of an attempt that was replaced by another. It looks like the span of a call, is a child of the span
 * of its call, and has the times of the attempt. Core reports only attempts that no plugin has seen.
 */
export function spanAttempt(
  { call, attempt, request, settlement, isError, usage, startedAt, endedAt }: AttemptNotification,
  runtime: RuntimeContext,
  tracing: Tracing,
  tracer: Tracer,
): void {
  const record = recordOf(call);
  if (!(record instanceof CallSpan) || !record.open) return;
  const callSpan: CallSpan<Kind> = record;
  // A tool call's id and the decision on it are recorded only on the call's span.
  const { ran: _, ...shape } = callSpan.shape;
  const described = { request, runtime };
  const span = startSpan(shape, tracing, tracer, call, described, {
    parent: callSpan.context,
    startTime: startedAt,
    attributes: { [SUITE.attempt]: attempt },
  });
  span.describe(described);
  span.setAttributes(shape.usage?.(usage, described) ?? usageAttributes(usage));
  span.answered(endedAt);
  span.settle(settlement as Settlement<never>, isError);
}
