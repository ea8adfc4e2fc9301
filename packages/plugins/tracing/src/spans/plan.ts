import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { CallNext, Invocation } from "@suite/core";
import { agentAttributes, named } from "../attributes/common.js";
import { SUITE } from "../attributes/own-names.js";
import { put } from "../attributes/redact.js";
import { ATTR, OPERATION } from "../attributes/semconv.js";
import { spanned } from "./hook.js";
import type { SpanShape } from "./shape.js";
import { toolSpan } from "./tool.js";
import type { Tracing } from "./tracing.js";

type Hook<K extends "model" | "tool"> = (invocation: Invocation<K>, callNext: CallNext) => Promise<void>;

/**
 * Creates the shape of `plan {agent.name}`: a round or a tool that is marked as planning. The content is on the spans
 * of its calls.
 */
const planSpan = <K extends "model" | "tool">(failure?: SpanShape<K>["failure"]): SpanShape<K> => ({
  spanKind: SpanKind.INTERNAL,
  identity({ runtime }) {
    const attributes: Attributes = { [ATTR.operationName]: OPERATION.plan, ...agentAttributes(runtime) };
    put(attributes, SUITE.conversationId, runtime.sessionId);
    return attributes;
  },
  name: (identity) => named(OPERATION.plan, identity[ATTR.agentName]),
  request: () => ({}),
  requestContent: () => ({}),
  reply: () => ({}),
  replyContent: () => ({}),
  ...(failure && { failure }),
});

/**
 * Creates a hook of model calls. Adds a plan span around the call's span if the request is marked as planning.
 *
 * @param hookOf creates the hook. `inside` is true if the call has a plan span around it.
 */
export function planning(hookOf: (inside: boolean) => Hook<"model">, tracing: Tracing): Hook<"model"> {
  const plan = spanned(planSpan<"model">(), tracing);
  const alone = hookOf(false);
  const within = hookOf(true);
  return (invocation, callNext) =>
    tracing.tracer() !== undefined && invocation.request.plans === true
      ? plan(invocation, () => within(invocation, callNext))
      : alone(invocation, callNext);
}

/**
 * Creates a hook of tool calls. Adds a plan span inside the call's span if the tool is marked as planning and runs
 * here.
 */
export function planned(hook: Hook<"tool">, tracing: Tracing): Hook<"tool"> {
  const plan = spanned(planSpan<"tool">(toolSpan.failure), tracing, true);
  return (invocation, callNext) => {
    if (tracing.tracer() === undefined) return hook(invocation, callNext);
    const { tool } = invocation.request;
    const plans = tool.plans === true && tool.execute !== undefined;
    return hook(invocation, plans ? () => plan(invocation, callNext) : callNext);
  };
}
