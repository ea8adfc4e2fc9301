import { type Attributes, context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { type RuntimeContext, redactorOf, type UndoNotification } from "@suite/core";
import { agentAttributes, named, runAttributes } from "../attributes/common.js";
import { TOOL_ERROR } from "../attributes/errors.js";
import { OWN } from "../attributes/own-names.js";
import { redactAttributes } from "../attributes/redact.js";
import { ATTR, OPERATION, TOOL_TYPE_FUNCTION } from "../attributes/semconv.js";
import { linkTo } from "../context/link.js";
import { cleanContext, readTraceContext } from "../context/trace-context.js";
import type { CompensationOptions } from "./compensate.js";
import { isSampled, under } from "./origin.js";

/**
 * The span of an undone tool call: linked to the span of the call, and below it as long as that is not older than what may
 * join a trace. It has no tool call id of the conventions: they have one span for that, and this is another.
 */
export function spanUndo(
  { toolCallId, toolName, outcome, arguments: input, carrier, startedAt, endedAt }: UndoNotification,
  runtime: RuntimeContext,
  { tracer, capture, maxAge, ofRun }: CompensationOptions,
): void {
  const redactor = redactorOf(runtime);
  const undone = readTraceContext(carrier?.traceparent, carrier?.tracestate);
  const joins = undone !== undefined && isSampled(undone) && Date.now() - startedAt <= maxAge;
  const identity: Attributes = {
    ...ofRun(runtime),
    ...agentAttributes(runtime),
    [ATTR.operationName]: OPERATION.executeTool,
    [ATTR.toolName]: toolName,
    [ATTR.toolType]: TOOL_TYPE_FUNCTION,
    [OWN.toolUndo]: true,
    [OWN.toolCallId]: toolCallId,
  };
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
    span.setAttributes(redactAttributes(runAttributes(runtime), redactor));
    if (outcome === "failed") {
      span.setAttribute(ATTR.errorType, TOOL_ERROR);
      span.setStatus({ code: SpanStatusCode.ERROR, message: "The tool call could not be undone." });
    }
    const writer = capture(redactor);
    if (writer !== undefined) span.setAttribute(ATTR.toolCallArguments, writer.object(input));
  }
  span.end(endedAt);
}
