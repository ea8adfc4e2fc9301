import type { Message, ModelRequest, Redactor } from "@suite/core";
import type { ModelSettings, ReasoningRequest, ToolChoice } from "@suite/core/contract";
import type { Item, SdkModel, SdkRequest } from "../framework.js";
import { Originals } from "../messages/from-neutral.js";
import { toMessages } from "../messages/to-neutral.js";
import { inputFor } from "../messages/withheld.js";
import { providerOfModel } from "./name.js";
import { fromTools, type NeutralTools, toolsOf } from "./tools.js";

/** The SDK's request to a model in neutral form. */
export interface ReadRequest {
  readonly sdkRequest: SdkRequest;
  readonly request: ReasoningRequest;
  readonly tools: NeutralTools;
}

export function readRequest(sdkRequest: SdkRequest): ReadRequest {
  const tools = toolsOf(sdkRequest);
  const { outputType } = sdkRequest;
  return {
    sdkRequest,
    tools,
    request: {
      messages: toMessages(sdkRequest.input),
      tools: tools.list,
      ...toolChoiceOf(sdkRequest),
      ...(typeof outputType === "object" && { outputSchema: outputType.schema }),
      settings: settingsOf(sdkRequest),
    },
  };
}

/** Returns the messages of a model call, with the system prompt first. */
export const withSystem = (prompt: string, messages: readonly Message[]): readonly Message[] =>
  prompt === "" ? messages : [{ role: "system", parts: [{ type: "text", content: prompt }] }, ...messages];

/** Converts the request after the layers to the SDK's form. Unchanged values remain the same objects. */
export function requestOf(read: ReadRequest, request: ModelRequest): SdkRequest {
  const { sdkRequest, request: before } = read;
  const { system, rest } = split(request.messages);
  const changes: Record<string, unknown> = {};
  if (system !== (sdkRequest.systemInstructions ?? "")) changes.systemInstructions = system === "" ? undefined : system;
  if (!same(rest, before.messages)) changes.input = itemsOf(sdkRequest.input, rest);
  if (!same(request.tools, before.tools)) Object.assign(changes, fromTools(request.tools, read.tools));
  if (request.outputSchema !== before.outputSchema) changes.outputType = outputTypeOf(sdkRequest, request.outputSchema);
  if (request.settings !== before.settings || request.toolChoice !== before.toolChoice) {
    const toolChoice = request.toolChoice === before.toolChoice ? {} : { toolChoice: nameOf(request.toolChoice) };
    changes.modelSettings = { ...sdkRequest.modelSettings, ...request.settings, ...toolChoice };
  }
  return Object.keys(changes).length === 0 ? sdkRequest : { ...sdkRequest, ...changes };
}

const itemsOf = (input: string | readonly Item[], messages: readonly Message[]): readonly Item[] => {
  const originals = new Originals(typeof input === "string" ? [] : input);
  return messages.flatMap((message) => originals.itemsOf(message));
};

/** Returns the request as the provider of a model accepts it. */
export function sentTo(model: SdkModel, request: SdkRequest, redactor: Redactor | undefined): SdkRequest {
  const input = inputFor(providerOfModel(model).provider, request.input, redactor);
  return input === request.input ? request : { ...request, input };
}

/** Separates the system prompt, which is the first message, from the others. */
function split(messages: readonly Message[]): { readonly system: string; readonly rest: readonly Message[] } {
  const [first, ...rest] = messages;
  if (first?.role !== "system" || first.native !== undefined) return { system: "", rest: messages };
  return { system: first.parts.map((part) => (part.type === "text" ? part.content : "")).join(""), rest };
}

const same = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one === other || (one.length === other.length && one.every((item, index) => item === other[index]));

/**
 * Returns the fields that the neutral request lacks: provider settings, references to stored data, and hosted tools.
 */
export function besideOf({
  modelSettings,
  conversationId,
  previousResponseId,
  prompt,
  outputType,
  tools,
  handoffs,
}: SdkRequest): Pick<ModelRequest, "beside"> {
  const known: ReadonlySet<string> = new Set([...shared, "toolChoice", "retry"]);
  const settings = Object.entries(modelSettings).filter(([name, value]) => !known.has(name) && value !== undefined);
  const hosted = tools.filter(({ type }) => type !== "function");
  const references = {
    conversationId,
    previousResponseId,
    prompt,
    handoffs: handoffs.length > 0 ? handoffs : undefined,
  };
  const format = typeof outputType === "object" ? outputType : undefined;
  const nothing =
    settings.length + hosted.length === 0 && Object.values({ ...references, format }).every((each) => each == null);
  return nothing ? {} : { beside: () => ({ ...references, format, hosted, settings: Object.fromEntries(settings) }) };
}

const shared = ["temperature", "topP", "maxTokens", "frequencyPenalty", "presencePenalty"] as const;

function settingsOf({ modelSettings }: SdkRequest): ModelSettings {
  const settings: Record<string, unknown> = {};
  for (const name of shared) if (modelSettings[name] !== undefined) settings[name] = modelSettings[name];
  return settings;
}

function toolChoiceOf({ modelSettings }: SdkRequest): { readonly toolChoice?: ToolChoice } {
  const { toolChoice } = modelSettings;
  if (toolChoice === undefined) return {};
  const word = toolChoice === "auto" || toolChoice === "none" || toolChoice === "required";
  return { toolChoice: word ? (toolChoice as ToolChoice) : { name: toolChoice } };
}

const nameOf = (choice: ToolChoice | undefined): string | undefined =>
  typeof choice === "object" ? choice.name : choice;

function outputTypeOf({ outputType }: SdkRequest, schema: unknown): unknown {
  if (schema === undefined) return "text";
  const before = typeof outputType === "object" ? outputType : { type: "json_schema", name: "output", strict: true };
  return { ...before, schema };
}
