import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { RuntimeContext } from "@suite/core";
import { put } from "../attributes.js";
import { ATTR } from "../semconv.js";

/** What every span of a run says at creation: samplers may decide on it. */
export function agentAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, ATTR.agentName, runtime.agent?.name);
  return attributes;
}

/** What every span of a run says once it records. */
export function runAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, ATTR.conversationId, runtime.sessionId);
  return attributes;
}

/** `{operation} {target}`, or the operation alone where nothing names the target. */
export const named = (operation: string, target: AttributeValue | undefined): string =>
  typeof target === "string" && target !== "" ? `${operation} ${target}` : operation;
