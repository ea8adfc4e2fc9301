import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { ModelRequest, RuntimeContext, Usage } from "@suite/core";
import { SUITE } from "./own-names.js";
import { put } from "./redact.js";
import { ATTR, OTHER, PREVIOUS } from "./semconv.js";

/** Returns the agent's attributes, which every span of a run has from its creation: samplers may decide on them. */
export function agentAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, ATTR.agentName, runtime.agent?.name);
  return attributes;
}

/** Returns true if the run is of a workflow, which contains agents. */
export const isWorkflow = ({ agent }: RuntimeContext): boolean => agent?.operation === "workflow";

/** Returns the attributes of a workflow under the names that v0.1.0 replaced, for its span and its metric. */
export function previousWorkflowAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, PREVIOUS.workflowName, runtime.agent?.name);
  return attributes;
}

/** Returns the conversation's attributes, for every recorded span of a run. */
export function runAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, ATTR.conversationId, runtime.sessionId);
  return attributes;
}

/** Returns the run's attributes for spans that have no `gen_ai.*` attributes for them in the conventions. */
export function suiteRunAttributes(runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  put(attributes, SUITE.agentName, runtime.agent?.name);
  put(attributes, SUITE.conversationId, runtime.sessionId);
  return attributes;
}

const HTTPS = 443;

/** Adds the attributes of the server that a request goes to. */
export function serverAttributes(server: ModelRequest["server"], attributes: Attributes = {}): Attributes {
  if (server === undefined) return attributes;
  attributes[ATTR.serverAddress] = server.address;
  attributes[ATTR.serverPort] = server.port ?? HTTPS;
  return attributes;
}

/** Returns the attributes of the requested model and of its server, for spans and metrics. */
export function modelCallIdentity(
  operation: string,
  { model, provider, server }: Pick<ModelRequest, "model" | "provider" | "server">,
): Attributes {
  const attributes: Attributes = {};
  attributes[ATTR.operationName] = operation;
  attributes[ATTR.providerName] = provider === undefined ? OTHER : providerName(provider);
  // Some models of frameworks have no name.
  if (model !== "") attributes[ATTR.requestModel] = model;
  return serverAttributes(server, attributes);
}

/** Returns `{operation} {target}`, or only the operation if the target has no name. */
export const named = (operation: string, target: AttributeValue | undefined): string =>
  typeof target === "string" && target !== "" ? `${operation} ${target}` : operation;

/** The names of providers in frameworks that the conventions replace with another name. */
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

/**
 * Returns `gen_ai.provider.name` for a framework's name of a provider: `x_ai` for `xai.chat`. An unknown name is
 * returned without its interface, in lower case.
 */
export function providerName(provider: string): string {
  const vendor = provider.toLowerCase().replace(INTERFACE, "");
  return WELL_KNOWN.get(vendor) ?? vendor;
}

/** Returns the token counts of a whole reply. The conventions list only the two totals for its span. */
export const totalAttributes = (usage: Usage | undefined): Attributes =>
  usageAttributes(usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens });

/** Returns the token counts of one call. Counts that are not whole numbers are omitted: backends reject them. */
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
