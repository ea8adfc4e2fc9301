import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { ModelRequest, RuntimeContext } from "@suite/core";
import { OWN } from "./own-names.js";
import { providerName } from "./provider.js";
import { put } from "./redact.js";
import { ATTR, OTHER } from "./semconv.js";

/** The agent's attributes on every span of a run, from its creation: samplers may decide on them. */
export function agentAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, ATTR.agentName, runtime.agent?.name);
  return attributes;
}

/** Whether a run is of a workflow: of what goes round agents. */
export const isWorkflow = ({ agent }: RuntimeContext): boolean => agent?.operation === "workflow";

/** The attributes of a workflow, on its span and its metric. */
export function workflowAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, ATTR.workflowName, runtime.agent?.name);
  return attributes;
}

/** The conversation's attributes on every span of a run that records. */
export function runAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, ATTR.conversationId, runtime.sessionId);
  return attributes;
}

/** The run's attributes on spans for which the conventions list no `gen_ai.*` attribute of it. */
export function ownRunAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, OWN.agentName, runtime.agent?.name);
  put(attributes, OWN.conversationId, runtime.sessionId);
  return attributes;
}

const HTTPS = 443;

/** The attributes of the server that a request goes to. */
export const serverAttributes = (server: ModelRequest["server"]): Attributes =>
  server === undefined ? {} : { [ATTR.serverAddress]: server.address, [ATTR.serverPort]: server.port ?? HTTPS };

/** The attributes of the model that was asked, and of its server: on spans and on metrics. */
export function modelCallIdentity(
  operation: string,
  { model, provider, server }: Pick<ModelRequest, "model" | "provider" | "server">,
): Attributes {
  return {
    [ATTR.operationName]: operation,
    [ATTR.providerName]: provider === undefined ? OTHER : providerName(provider),
    [ATTR.requestModel]: model,
    ...serverAttributes(server),
  };
}

/** `{operation} {target}`, or the operation alone where nothing names the target. */
export const named = (operation: string, target: AttributeValue | undefined): string =>
  typeof target === "string" && target !== "" ? `${operation} ${target}` : operation;
