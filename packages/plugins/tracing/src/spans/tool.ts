import { type Attributes, SpanKind } from "@opentelemetry/api";
import { takeDecision } from "../approvals.js";
import { agentAttributes, named, runAttributes } from "../attributes/common.js";
import { DENIED, TOOL_ERROR } from "../attributes/errors.js";
import { OWN } from "../attributes/own-names.js";
import { put } from "../attributes/redact.js";
import { ATTR, OPERATION, TOOL_TYPE_FUNCTION } from "../attributes/semconv.js";
import type { SpanShape } from "./shape.js";

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
    if (decision === "rejected") {
      attributes[OWN.status] = "denied";
      attributes[ATTR.errorType] = DENIED;
    }
    return attributes;
  },
  waits: ({ request }) => ({ [OWN.toolCallId]: request.id }),
  requestContent: ({ request }, writer) => ({ [ATTR.toolCallArguments]: writer.object(request.input) }),
  reply: () => ({}),
  replyContent: (final, writer) => ({ [ATTR.toolCallResult]: writer.object(final) }),
  failure: (final, isError) =>
    isError || saysError(final)
      ? { type: TOOL_ERROR, description: "The tool's result says that it failed.", message: messageOf(final) }
      : undefined,
  /** A tool that runs elsewhere: handing it out takes no time, and its one span is made when its result is back. */
  late: ({ request }) => request.tool.execute === undefined,
};

const saysError = (final: unknown): boolean =>
  typeof final === "object" && final !== null && "isError" in final && final.isError === true;

/** The longest message of a result; of one that is longer nothing is told here. */
const LONGEST_MESSAGE = 1024;

/** The text of a result that failed: the result itself, or, as MCP has it, its first part. */
function messageOf(final: unknown): string | undefined {
  const content: unknown = typeof final === "string" ? final : Object(final).content;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const text: unknown = typeof content === "string" ? content : Object(first).text;
  return typeof text === "string" && text.length <= LONGEST_MESSAGE ? text : undefined;
}
