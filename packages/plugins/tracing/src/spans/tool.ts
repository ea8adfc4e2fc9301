import { type Attributes, SpanKind } from "@opentelemetry/api";
import { takeDecision } from "../approvals.js";
import { put } from "../attributes.js";
import { OWN } from "../own-names.js";
import { ATTR, OPERATION, TOOL_TYPE_FUNCTION } from "../semconv.js";
import { agentAttributes, named, runAttributes } from "./common.js";
import type { SpanShape } from "./shape.js";

/** `error.type` of a result that says itself that it failed, as the conventions have it for MCP. */
export const TOOL_ERROR = "tool_error";

/** `execute_tool {tool.name}`: one tool call. */
export const toolSpan: SpanShape<"tool"> = {
  spanKind: SpanKind.INTERNAL,
  identity({ request, runtime }) {
    const attributes = agentAttributes(runtime);
    attributes[ATTR.operationName] = OPERATION.executeTool;
    attributes[ATTR.toolName] = request.tool.name;
    attributes[ATTR.toolType] = TOOL_TYPE_FUNCTION;
    return attributes;
  },
  name: (identity) => named(OPERATION.executeTool, identity[ATTR.toolName]),
  request({ request, runtime }) {
    const attributes = runAttributes(runtime);
    put(attributes, ATTR.toolDescription, request.tool.description);
    return attributes;
  },
  /**
   * A call that waited has its id, and what a person decided on it, on the span of what came of it: by the conventions,
   * one call is one span.
   */
  ran({ request, runtime }) {
    const attributes: Attributes = { [ATTR.toolCallId]: request.id };
    const decision = takeDecision(runtime, request.id);
    put(attributes, OWN.approvalDecision, decision);
    if (decision === "rejected") attributes[OWN.status] = "denied";
    return attributes;
  },
  requestContent: ({ request }, writer) => ({ [ATTR.toolCallArguments]: writer.object(request.input) }),
  reply: () => ({}),
  replyContent: (final, writer) => ({ [ATTR.toolCallResult]: writer.object(final) }),
  failure: (final) => (saysError(final) ? TOOL_ERROR : undefined),
  /** It runs elsewhere: handing it out takes no time, and its one span is made when its result is back. */
  late: ({ request }) => request.tool.execute === undefined,
};

const saysError = (final: unknown): boolean =>
  typeof final === "object" && final !== null && "isError" in final && final.isError === true;
