import { type Attributes, context, type Link, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { type RuntimeContext, redactorOf } from "@suite/core";
import type { ExternalResultNotification } from "@suite/core/contract";
import { named } from "../attributes/common.js";
import { SUITE } from "../attributes/own-names.js";
import { redactAttributes } from "../attributes/redact.js";
import { ATTR, OPERATION } from "../attributes/semconv.js";
import { outcome, toolFailure, toolIdentity, toolInput, toolOutput, toolRan, toolRequest } from "../attributes/tool.js";
import type { Capture } from "../content/capture.js";
import { linkTo } from "../context/link.js";
import { openRecord } from "../context/record.js";
import { cleanContext } from "../context/trace-context.js";
import { isSampled, under } from "./origin.js";
import { takeOrigin } from "./pending.js";
import { withSpanIdOf } from "./span-id.js";

/** The options of a span for a call that ran elsewhere. */
export interface CompensationOptions {
  readonly tracer: Tracer;
  readonly capture: Capture;
  /** Returns the attributes that every span of a run has from its start. */
  readonly ofRun: (runtime: RuntimeContext) => Attributes;
  /** Maximum age in milliseconds at which a call still joins the trace of the turn that requested it. */
  readonly maxAge: number;
}

/**
 * Creates the span of a tool call that ran elsewhere when its result arrives. It is a child of the turn that requested
 * the call. It lasts from the request to the result, or for the part of that time that the result reports.
 */
export function compensate(
  result: ExternalResultNotification,
  runtime: RuntimeContext,
  { tracer, capture, maxAge, ofRun }: CompensationOptions,
): void {
  const redactor = redactorOf(runtime);
  const { turn: requestingTurn, reason = "external" } = takeOrigin(runtime, result.toolCallId);
  const resuming = openRecord(runtime, result.call);
  const joins = requestingTurn !== undefined && isSampled(requestingTurn) && Date.now() - result.handedOutAt <= maxAge;
  const links: Link[] = [];
  if (joins && resuming !== undefined) links.push(linkTo(resuming.span.spanContext(), "resumed_by"));
  if (!joins && requestingTurn !== undefined) links.push(linkTo(requestingTurn, "asked_by"));

  const identity = { ...ofRun(runtime), ...toolIdentity(result.toolName, runtime) };
  // A tool of this process can also wait, for an approval that it did not get.
  if (reason === "external") identity[SUITE.toolExternal] = true;
  const attributes = redactAttributes(identity, redactor);
  const { start, end } = intervalOf(result);
  const parent = cleanContext(joins ? under(requestingTurn) : (resuming?.context ?? context.active()), redactor);
  const above = trace.getSpanContext(parent);
  const span = withSpanIdOf(above && `${above.traceId}/${above.spanId}/${result.toolCallId}`, () =>
    tracer.startSpan(
      named(OPERATION.executeTool, attributes[ATTR.toolName]),
      { kind: SpanKind.INTERNAL, attributes, links, startTime: start },
      parent,
    ),
  );
  if (span.isRecording()) {
    span.setAttributes(redactAttributes(toolRequest(runtime), redactor));
    const ran = toolRan(result.toolCallId, runtime);
    if (result.outcome !== "completed") {
      outcome(ran, result.outcome);
      span.setStatus({ code: SpanStatusCode.ERROR, message: toolFailure(result.outcome).description });
    }
    span.setAttributes(redactAttributes(ran, redactor));
    const writer = capture(redactor);
    if (writer !== undefined) {
      span.setAttributes(toolInput(result.arguments, writer));
      if (result.response !== undefined) span.setAttributes(toolOutput(result.response, writer));
      if (writer.truncated) span.setAttribute(SUITE.contentTruncated, true);
    }
  }
  span.end(end);
}

type Times = Pick<ExternalResultNotification, "handedOutAt" | "returnedAt" | "startedAt" | "endedAt">;

/**
 * Returns the interval of a tool's run elsewhere, in milliseconds since the epoch. It is the reported interval,
 * limited to the time between request and result by this side's clock. If the result reports no valid numbers, it is
 * all of that time.
 */
export function intervalOf({ handedOutAt, returnedAt, startedAt, endedAt }: Times): { start: number; end: number } {
  const last = Math.max(handedOutAt, returnedAt);
  const start = clamp(reported(startedAt, handedOutAt), handedOutAt, last);
  return { start, end: clamp(reported(endedAt, last), start, last) };
}

const reported = (time: number | undefined, fallback: number): number =>
  time !== undefined && Number.isFinite(time) ? time : fallback;

const clamp = (time: number, from: number, to: number): number => Math.min(Math.max(time, from), to);
