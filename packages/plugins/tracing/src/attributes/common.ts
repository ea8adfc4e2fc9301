import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { ModelRequest, RuntimeContext, Usage } from "@suite/core";
import { OWN } from "./own-names.js";
import { put } from "./redact.js";
import { ATTR, OTHER, PREVIOUS } from "./semconv.js";

/** The agent's attributes on every span of a run, from its creation: samplers may decide on them. */
export function agentAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, ATTR.agentName, runtime.agent?.name);
  return attributes;
}

/** Whether a run is of a workflow: of what goes round agents. */
export const isWorkflow = ({ agent }: RuntimeContext): boolean => agent?.operation === "workflow";

/** The attributes of a workflow by the names that v0.1.0 replaced, on its span and its metric. */
export function previousWorkflowAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, PREVIOUS.workflowName, runtime.agent?.name);
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
export function serverAttributes(server: ModelRequest["server"], attributes: Attributes = {}): Attributes {
  if (server === undefined) return attributes;
  attributes[ATTR.serverAddress] = server.address;
  attributes[ATTR.serverPort] = server.port ?? HTTPS;
  return attributes;
}

/** The attributes of the model that was asked, and of its server: on spans and on metrics. */
export function modelCallIdentity(
  operation: string,
  { model, provider, server }: Pick<ModelRequest, "model" | "provider" | "server">,
): Attributes {
  const attributes: Attributes = {};
  attributes[ATTR.operationName] = operation;
  attributes[ATTR.providerName] = provider === undefined ? OTHER : providerName(provider);
  // Frameworks have models that do not give their name.
  if (model !== "") attributes[ATTR.requestModel] = model;
  return serverAttributes(server, attributes);
}

/** `{operation} {target}`, or the operation alone where nothing names the target. */
export const named = (operation: string, target: AttributeValue | undefined): string =>
  typeof target === "string" && target !== "" ? `${operation} ${target}` : operation;

/** The names that frameworks have for a provider, where the conventions have another word that must be used instead. */
const WELL_KNOWN = new Map(
  Object.entries({
    azure: "azure.ai.openai",
    "azure-openai": "azure.ai.openai",
    azure_openai: "azure.ai.openai",
    bedrock: "aws.bedrock",
    "amazon-bedrock": "aws.bedrock",
    aws_bedrock: "aws.bedrock",
    google: "gcp.gen_ai",
    gemini: "gcp.gemini",
    "google.generative-ai": "gcp.gemini",
    "google-generative-ai": "gcp.gemini",
    google_genai: "gcp.gen_ai",
    vertexai: "gcp.vertex_ai",
    vertex_ai: "gcp.vertex_ai",
    "google-vertex": "gcp.vertex_ai",
    "google.vertex": "gcp.vertex_ai",
    mistral: "mistral_ai",
    mistralai: "mistral_ai",
    xai: "x_ai",
    grok: "x_ai",
    "x.ai": "x_ai",
    moonshot: "moonshot_ai",
    moonshotai: "moonshot_ai",
    watsonx: "ibm.watsonx.ai",
  }),
);

/** The AI SDK appends the interface to its provider: `openai.responses`, `anthropic.messages`. */
const INTERFACE = /\.(?:chat|responses|messages|completion|language-model)$/;

/** `gen_ai.provider.name` of what a framework calls its provider: `xai.chat` is `x_ai`; an unknown one stays as it is. */
export function providerName(provider: string): string {
  const vendor = provider.toLowerCase().replace(INTERFACE, "");
  return WELL_KNOWN.get(vendor) ?? vendor;
}

/** Tokens of a whole reply: for that span the conventions list the two totals alone. */
export const totalAttributes = (usage: Usage | undefined): Attributes =>
  usageAttributes(usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens });

/** Tokens of one call. Counts that are no whole number are left out: backends reject them. */
export function usageAttributes(usage: Usage | undefined): Attributes {
  const attributes: Attributes = {};
  if (usage === undefined) return attributes;
  const count = (key: string, value: number | undefined): void => {
    if (value !== undefined && Number.isSafeInteger(value) && value >= 0) attributes[key] = value;
  };
  count(ATTR.usageInputTokens, usage.inputTokens);
  count(ATTR.usageOutputTokens, usage.outputTokens);
  count(ATTR.usageCacheReadInputTokens, usage.cacheReadInputTokens);
  count(ATTR.usageCacheWriteInputTokens, usage.cacheCreationInputTokens);
  count(ATTR.usageReasoningOutputTokens, usage.reasoningOutputTokens);
  return attributes;
}
