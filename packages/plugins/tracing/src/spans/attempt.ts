import type { Tracer } from "@opentelemetry/api";
import type { AttemptNotification, Kind, RuntimeContext, Settlement } from "@suite/core";
import { usageAttributes } from "../attributes/common.js";
import { OWN } from "../attributes/own-names.js";
import { recordOf } from "../context/record.js";
import { CallSpan } from "./call-span.js";
import { startSpan } from "./start.js";
import type { Tracing } from "./tracing.js";

/**
 * The span of an attempt that another took the place of: like that of a call, below the span of the call that it is of,
 * with its own times. Core tells only of attempts which a layer of ours cannot have seen.
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
  // A tool call's id, and what was decided on it, stand on one span: the call's own.
  const { ran: _, ...shape } = callSpan.shape;
  const described = { request, runtime };
  const span = startSpan(shape, tracing, tracer, call, described, {
    parent: callSpan.context,
    startTime: startedAt,
    attributes: { [OWN.attempt]: attempt },
  });
  span.describe(described);
  span.say(shape.usage?.(usage, described) ?? usageAttributes(usage));
  span.answered(endedAt);
  span.settle(settlement as Settlement<never>, isError);
}
