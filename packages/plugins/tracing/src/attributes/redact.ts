import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";
import { SUITE } from "./own-names.js";
import { ATTR } from "./semconv.js";

/**
 * The attributes that are never redacted: ids, closed vocabularies, and the address of the model's server. Redacted ids
 * would break the links between spans, records and conversations. Finish reasons and providers are redacted, since
 * servers and programs choose those values.
 */
export const EXEMPT: ReadonlySet<string> = new Set([
  ATTR.operationName,
  ATTR.outputType,
  ATTR.conversationId,
  ATTR.responseId,
  ATTR.toolCallId,
  ATTR.toolType,
  ATTR.mcpMethod,
  ATTR.mcpSessionId,
  ATTR.jsonrpcRequestId,
  ATTR.rpcStatusCode,
  ATTR.serverAddress,
  SUITE.sessionId,
  SUITE.status,
  SUITE.runId,
  SUITE.agentId,
  SUITE.conversationId,
  SUITE.pendingApprovalCallIds,
  SUITE.pendingExternalCallIds,
  SUITE.pendingInputCallIds,
  SUITE.humanInputCallId,
  SUITE.toolCallId,
]);

/** Redacts every string of the attributes except those in `EXEMPT`. Returns the same object if there is no redactor. */
export function redactAttributes(attributes: Attributes, redactor: Redactor | undefined): Attributes {
  if (redactor === undefined) return attributes;
  const redacted: Attributes = {};
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    redacted[key] = EXEMPT.has(key) ? value : redactValue(value, redactor);
  }
  return redacted;
}

function redactValue(value: AttributeValue | undefined, redactor: Redactor): AttributeValue | undefined {
  if (typeof value === "string") return redactor.redact(value);
  if (!Array.isArray(value)) return value;
  return value.map((item) => (typeof item === "string" ? redactor.redact(item) : item)) as AttributeValue;
}

/** Adds an attribute unless its value is `undefined`. */
export function put(attributes: Attributes, key: string, value: AttributeValue | undefined): void {
  if (value !== undefined) attributes[key] = value;
}
