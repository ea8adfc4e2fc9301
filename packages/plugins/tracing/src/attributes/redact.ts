import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";
import { OWN } from "./own-names.js";
import { ATTR } from "./semconv.js";

/**
 * The attributes that no redactor touches: ids, closed vocabularies, and the address of the model's server. A redacted id would
 * tear spans, records and conversations apart. Finish reasons and providers are none: servers and programs choose the word.
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
  OWN.sessionId,
  OWN.status,
  OWN.runId,
  OWN.agentId,
  OWN.conversationId,
  OWN.pendingApprovalCallIds,
  OWN.pendingExternalCallIds,
  OWN.pendingInputCallIds,
  OWN.humanInputCallId,
  OWN.toolCallId,
]);

/** The attributes with every string outside `EXEMPT` redacted; the object itself where there is no redactor. */
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

/** Adds an attribute unless there is nothing to say. */
export function put(attributes: Attributes, key: string, value: AttributeValue | undefined): void {
  if (value !== undefined) attributes[key] = value;
}
