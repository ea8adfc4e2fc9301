import type { TimeInput, Tracer } from "@opentelemetry/api";
import type { CallNext, Final, Invocation, Kind, Settlement } from "@suite/core";
import { keepTurn } from "../compensation/pending.js";
import { type Entry, entryOf } from "../context/propagation.js";
import { contextAround, isOver, remember, spansOf } from "../context/record.js";
import type { CallSpan } from "./call-span.js";
import type { Described, SpanShape } from "./shape.js";
import { startSpan } from "./start.js";
import type { Tracing } from "./tracing.js";

/**
 * Creates a hook that records each call as a span. Without a provider it costs one comparison. A call that begins after
 * its run is over has no span.
 *
 * @param inside true if the call already has a span, so that this one becomes its child
 */
export const spanned =
  <K extends Kind>(shape: SpanShape<K>, tracing: Tracing, inside = false) =>
  (invocation: Invocation<K>, callNext: CallNext): Promise<void> => {
    const tracer = tracing.tracer();
    if (tracer === undefined || isOver(invocation.runtime)) return callNext();
    const start = starter(shape, tracing, tracer, invocation, inside);
    return shape.late?.(invocation) ? runLate(start, invocation, callNext) : run(start(), invocation, callNext);
  };

async function run<K extends Kind>(span: CallSpan<K>, invocation: Invocation<K>, callNext: CallNext): Promise<void> {
  const { running, root } = remember(invocation, span);
  if (root === span) keepTurn(invocation.runtime, span.span.spanContext());
  const timed = firstChunkTimer(span);
  try {
    await span.around(callNext);
    span.describe(reachedCall(invocation));
    const isError = invocation.result?.isError === true;
    const settle = (settlement: Settlement<Final<K>>): void => {
      running.delete(span);
      span.settle(settlement, isError);
    };
    if (invocation.result?.streaming === true) {
      invocation.pipe({ settle, around: (pull) => timed(span.around(pull)) });
    } else {
      // A plain value has no producer to run in the span's context. Without `around` it stays on its synchronous path.
      span.answered();
      invocation.pipe({ settle });
    }
  } catch (error) {
    running.delete(span);
    span.describe(reachedCall(invocation));
    span.fail(error);
    throw error;
  }
}

/** Creates the span when the call or its run has ended. A suspended call gets no span. */
async function runLate<K extends Kind>(
  start: (startTime?: TimeInput) => CallSpan<K>,
  invocation: Invocation<K>,
  callNext: CallNext,
): Promise<void> {
  const startTime = Date.now();
  const { running } = spansOf(invocation.runtime);
  const waiting = { abandon: () => end((span) => span.abandon()) };
  const end = (how: (span: CallSpan<K>) => void): void => {
    if (!running.delete(waiting)) return;
    const span = start(startTime);
    span.describe(reachedCall(invocation));
    how(span);
  };
  running.add(waiting);
  try {
    await callNext();
    const isError = invocation.result?.isError === true;
    invocation.pipe({
      settle(settlement) {
        if (settlement.status === "suspended") running.delete(waiting);
        else end((span) => span.settle(settlement, isError));
      },
    });
  } catch (error) {
    end((span) => span.fail(error));
    throw error;
  }
}

/** Reads the values that a span needs now. Returns a function that starts it. */
function starter<K extends Kind>(
  shape: SpanShape<K>,
  tracing: Tracing,
  tracer: Tracer,
  invocation: Invocation<K>,
  inside: boolean,
): (startTime?: TimeInput) => CallSpan<K> {
  const { request, runtime, call } = invocation;
  const around = contextAround(inside ? call : call.parent, runtime);
  const { parent, link }: Entry = around === undefined ? entryOf(runtime) : { parent: around };
  return (startTime) => {
    const shapeLinks = shape.links?.({ request, runtime });
    const links = link === undefined ? shapeLinks : [link, ...(shapeLinks ?? [])];
    return startSpan(shape, tracing, tracer, call, { request, runtime }, { parent, links, startTime });
  };
}

/** Returns the request that core finally executed, or this layer's request if core was not called. */
function reachedCall<K extends Kind>(
  invocation: Invocation<K> & { readonly reached?: Described<K>["request"] | undefined },
): Described<K> {
  const { runtime, request, reached: sent } = invocation;
  return sent === undefined ? { request, runtime, unreached: true } : { request: sent, runtime };
}

/**
 * Returns a function that passes a pull on. It records the seconds until the first chunk on the span, if the span has
 * an attribute for them.
 */
function firstChunkTimer<K extends Kind>(span: CallSpan<K>): <T>(pull: Promise<T>) => Promise<T> {
  const attribute = span.isRecording ? span.shape.firstChunk?.(span.call) : undefined;
  if (attribute === undefined) return (pull) => pull;
  const start = performance.now();
  let waiting = true;
  return (pull) => {
    if (!waiting) return pull;
    waiting = false;
    return pull.then((step) => {
      if (span.open) span.setAttributes({ [attribute]: (performance.now() - start) / 1000 });
      return step;
    });
  };
}
