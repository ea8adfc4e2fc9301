import {
  context,
  isSpanContextValid,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { type RuntimeContext, redactorOf } from "@suite/core";
import type { UndoNotification } from "@suite/core/contract";
import type { SpanIds } from "@suite/core/propagation";
import { errorTypeOf } from "@suite/kit/errors";
import { named } from "../attributes/common.js";
import { SUITE } from "../attributes/own-names.js";
import { redactAttributes } from "../attributes/redact.js";
import { ATTR, OPERATION } from "../attributes/semconv.js";
import { outcome, toolIdentity, toolInput, toolRequest } from "../attributes/tool.js";
import { linkTo } from "../context/link.js";
import { cleanContext } from "../context/trace-context.js";
import type { CompensationOptions } from "./compensate.js";
import { isSampled, under } from "./origin.js";

/**
 * Creates the span of the undo of a tool call. It is linked to the span of the call, and is its child if the call is
 * young enough to join its trace. It has no `gen_ai.tool.call.id`: by the conventions only the call's span has it.
 */
export function spanUndo(
  {
    toolCallId,
    toolName,
    outcome: ended,
    error,
    arguments: input,
    span: ofCall,
    calledAt,
    startedAt,
    endedAt,
  }: UndoNotification,
  runtime: RuntimeContext,
  { tracer, capture, maxAge, ofRun }: CompensationOptions,
): void {
  const redactor = redactorOf(runtime);
  const undone = ofCall && contextOf(ofCall);
  const joins = undone !== undefined && isSampled(undone) && startedAt - calledAt <= maxAge;
  const identity = { ...ofRun(runtime), ...toolIdentity(toolName, runtime) };
  identity[SUITE.toolUndo] = true;
  identity[SUITE.toolCallId] = toolCallId;
  const attributes = redactAttributes(identity, redactor);
  const parent = cleanContext(joins ? under(undone) : trace.deleteSpan(context.active()), redactor);
  const span = tracer.startSpan(
    named(OPERATION.executeTool, attributes[ATTR.toolName]),
    {
      kind: SpanKind.INTERNAL,
      attributes,
      links: undone === undefined ? [] : [linkTo(undone, "undoes")],
      startTime: startedAt,
    },
    parent,
  );
  if (span.isRecording()) {
    const more = toolRequest(runtime);
    if (ended === "failed") {
      outcome(more, "failed");
      if (error !== undefined) more[ATTR.errorType] = errorTypeOf(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: "The tool call could not be undone." });
    }
    span.setAttributes(redactAttributes(more, redactor));
    const writer = capture(redactor);
    if (writer !== undefined) {
      span.setAttributes(toolInput(input, writer));
      if (writer.truncated) span.setAttribute(SUITE.contentTruncated, true);
    }
  }
  span.end(endedAt);
}

/** Returns the context of a span of any process. Returns `undefined` if the stored ids are not valid. */
function contextOf({ traceId, spanId, sampled = true }: SpanIds): SpanContext | undefined {
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const span = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}
