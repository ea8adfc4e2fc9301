import { type TimeInput, type Tracer, trace } from "@opentelemetry/api";
import { type CallNext, type Invocation, type Kind, redactorOf } from "@suite/core";
import { redactAttributes } from "../attributes.js";
import type { Capture } from "../content/capture.js";
import { CallSpan } from "./call-span.js";
import { firstChunkTimer } from "./first-chunk.js";
import { contextOf, parentContext, remember } from "./record.js";
import type { Described, SpanShape } from "./shape.js";

/** What every hook shares. */
export interface Tracing {
  readonly tracer: () => Tracer | undefined;
  readonly capture: Capture;
}

/** A hook that gives each call a span. While no provider is registered it is `callNext` and one comparison. */
export const spanned =
  <K extends Kind>(shape: SpanShape<K>, tracing: Tracing) =>
  (invocation: Invocation<K>, callNext: CallNext): Promise<void> => {
    const tracer = tracing.tracer();
    if (tracer === undefined) return callNext();
    const start = starter(shape, tracing.capture, tracer, invocation);
    return shape.late?.(invocation) ? runLate(start, invocation, callNext) : run(start(), invocation, callNext);
  };

async function run<K extends Kind>(span: CallSpan<K>, invocation: Invocation<K>, callNext: CallNext): Promise<void> {
  const { running } = remember(invocation, span);
  const timed = firstChunkTimer(span);
  try {
    await span.around(callNext);
    span.describe(reached(invocation));
    const settle: CallSpan<K>["settle"] = (settlement) => {
      running.delete(span);
      span.settle(settlement);
    };
    if (invocation.result?.streaming === true) {
      invocation.pipe({ settle, around: (pull) => timed(span.around(pull)) });
    } else {
      // A plain value has no producer to run under the span: without `around` it stays on its synchronous path.
      span.answered();
      invocation.pipe({ settle });
    }
  } catch (error) {
    running.delete(span);
    span.describe(reached(invocation));
    span.fail(error);
    throw error;
  }
}

/** Makes the span when the call has ended, and none if it was only handed out. */
async function runLate<K extends Kind>(
  start: (startTime?: TimeInput) => CallSpan<K>,
  invocation: Invocation<K>,
  callNext: CallNext,
): Promise<void> {
  const startTime = Date.now();
  const started = (): CallSpan<K> => {
    const span = start(startTime);
    span.describe(reached(invocation));
    return span;
  };
  try {
    await callNext();
  } catch (error) {
    started().fail(error);
    throw error;
  }
  invocation.pipe({
    settle(settlement) {
      if (settlement.status !== "suspended") started().settle(settlement);
    },
  });
}

/** Reads what a span needs of the call now, and starts it when asked. */
function starter<K extends Kind>(
  shape: SpanShape<K>,
  capture: Capture,
  tracer: Tracer,
  invocation: Invocation<K>,
): (startTime?: TimeInput) => CallSpan<K> {
  const { request, runtime, call } = invocation;
  const redactor = redactorOf(runtime);
  const parent = parentContext(invocation);
  return (startTime) => {
    const identity = redactAttributes(shape.identity({ request, runtime }), redactor);
    const links = shape.links?.({ request, runtime });
    const span = tracer.startSpan(
      shape.name(identity),
      {
        kind: shape.spanKind,
        attributes: identity,
        ...(links !== undefined && { links }),
        ...(startTime !== undefined && { startTime }),
      },
      parent,
    );
    const current = trace.setSpan(contextOf(parent, call), span);
    const writer = span.isRecording() ? capture(redactor) : undefined;
    return new CallSpan(span, current, shape, { request, runtime }, redactor, writer);
  };
}

/** The request that the core was given in the end, where core tells it; else as this layer has it. */
function reached<K extends Kind>(
  invocation: Invocation<K> & { readonly reached?: Described<K>["request"] | undefined },
): Described<K> {
  return { request: invocation.reached ?? invocation.request, runtime: invocation.runtime };
}
