import type { Attributes } from "@opentelemetry/api";
import type { RuntimeContext } from "@suite/core";
import { takeDecision } from "../approvals.js";
import type { ContentWriter } from "../content/writer.js";
import { agentAttributes, runAttributes } from "./common.js";
import { DENIED, REFUSED, TOOL_ERROR } from "./errors.js";
import { SUITE } from "./own-names.js";
import { put } from "./redact.js";
import { ATTR, OPERATION, TOOL_TYPE_FUNCTION } from "./semconv.js";

// All spans of tool calls use these functions, so that they have the same attributes: the span of a call that ran here,
// the span of one that ran elsewhere, and the span of an undo.

/** Returns the attributes of a tool's span at its start. */
export function toolIdentity(name: string, runtime: RuntimeContext): Attributes {
  const attributes = agentAttributes(runtime);
  attributes[ATTR.operationName] = OPERATION.executeTool;
  attributes[ATTR.toolName] = name;
  attributes[ATTR.toolType] = TOOL_TYPE_FUNCTION;
  return attributes;
}

/** Returns the other attributes that are known before the tool runs. */
export function toolRequest(runtime: RuntimeContext, description?: string): Attributes {
  const attributes = runAttributes(runtime);
  put(attributes, ATTR.toolDescription, description);
  return attributes;
}

/**
 * Returns the id of a call and the decision of a person or a policy on it. By the conventions each call has one span:
 * the one of its result, not the one of a waiting call.
 */
export function toolRan(id: string, runtime: RuntimeContext): Attributes {
  const attributes: Attributes = { [ATTR.toolCallId]: id };
  const decision = takeDecision(runtime, id);
  put(attributes, SUITE.approvalDecision, decision);
  if (decision === "rejected") outcome(attributes, "denied");
  return attributes;
}

/** The failures of a tool call, in addition to those of every call. */
type ToolFailure = "failed" | "cancelled" | "denied" | "expired";

const FAILURES: Readonly<Record<ToolFailure, { readonly type: string; readonly description: string }>> = {
  failed: { type: TOOL_ERROR, description: "The tool's result reports a failure." },
  cancelled: { type: "cancelled", description: "The call was cancelled while it waited." },
  denied: { type: DENIED, description: REFUSED },
  expired: { type: "expired", description: "The call waited until its run expired." },
};

/** Returns the `error.type` and the status message of a failure. */
export const toolFailure = (failure: ToolFailure): (typeof FAILURES)[ToolFailure] => FAILURES[failure];

/** Adds the attributes of a failure. */
export function outcome(attributes: Attributes, failure: ToolFailure): void {
  attributes[ATTR.errorType] = FAILURES[failure].type;
  if (failure !== "failed") attributes[SUITE.status] = failure;
}

export const toolInput = (input: unknown, writer: ContentWriter): Attributes => ({
  [ATTR.toolCallArguments]: writer.object(input),
});

export const toolOutput = (result: unknown, writer: ContentWriter): Attributes => ({
  [ATTR.toolCallResult]: writer.object(result),
});
