import type { Message, ModelRequest, Redactor, Tool } from "@suite/core";
import type { ModelSettings, ReasoningRequest } from "@suite/core/contract";
import type { CallOptions, ModelTool } from "../framework.js";
import { withMarks } from "../messages/cache-marks.js";
import { fromMessages } from "../messages/from-neutral.js";
import type { PromptReader } from "../messages/prompt.js";
import { hasTicket, withoutTicket } from "../messages/ticket.js";
import { type FrameworkMessage, toMessage } from "../messages/to-neutral.js";
import { fromTool, fromToolChoice, toolOf, toToolChoice } from "./tools.js";

/** A model call of the framework, converted to a neutral request. */
export interface ReadCall {
  readonly params: CallOptions;
  /** All messages of the prompt, in the order of `originals`. */
  readonly messages: readonly Message[];
  /** The leading system messages. `request` contains the others. */
  readonly system: readonly Message[];
  readonly request: ReasoningRequest;
  readonly originals: readonly FrameworkMessage[];
  readonly tools: ReadonlyMap<Tool, ModelTool>;
}

const noTools: ReadonlyMap<Tool, ModelTool> = new Map();

/** Converts a model call. @param prompts the reader for the prompts of the turn, if there is a turn */
export function readCall(options: CallOptions, prompts?: PromptReader): ReadCall {
  const params = options.prompt.some(hasTicket) ? { ...options, prompt: options.prompt.map(withoutTicket) } : options;
  const messages = prompts?.read(params.prompt) ?? params.prompt.map(toMessage);
  const first = messages.findIndex(({ role }) => role !== "system");
  const split = first < 0 ? messages.length : first;
  const tools = params.tools === undefined ? noTools : new Map(params.tools.map((tool) => [toolOf(tool), tool]));
  const request: Writable<ReasoningRequest> = {
    messages: split === 0 ? messages : messages.slice(split),
    tools: tools.size === 0 ? none : [...tools.keys()],
  };
  // Assignments are faster than spreads of optional fields.
  const { toolChoice, responseFormat } = params;
  if (toolChoice !== undefined) request.toolChoice = toToolChoice(toolChoice);
  if (responseFormat?.type === "json" && responseFormat.schema !== undefined)
    request.outputSchema = responseFormat.schema;
  request.settings = settingsOf(params);
  return {
    params,
    messages,
    system: split === 0 ? none : messages.slice(0, split),
    originals: params.prompt,
    tools,
    request,
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const none: readonly never[] = [];

/** Returns the system prompt as one string. */
export const systemText = ({ system }: ReadCall): string =>
  system.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.content : "")).join("")).join("\n\n");

/**
 * Returns the messages of a model call, with the original system messages or one new system message.
 *
 * @param prompt the system prompt of the plugins, or `undefined` if they do not set one
 */
export function withSystem(
  call: ReadCall,
  prompt: string | undefined,
  messages: readonly Message[],
): readonly Message[] {
  if (prompt === undefined || prompt === systemText(call)) {
    return messages === call.request.messages ? call.messages : [...call.system, ...messages];
  }
  if (prompt === "") return messages;
  return [{ role: "system", parts: [{ type: "text", content: prompt }] }, ...messages];
}

/**
 * Returns the call options for a request of the layers. It reuses the framework's objects for everything that has not
 * changed.
 */
export function paramsOf(call: ReadCall, request: ModelRequest, redactor?: Redactor): CallOptions {
  const { params, request: before } = call;
  const history = { originals: call.originals, messages: call.messages, redactor };
  const written = fromMessages(history, request.messages) as CallOptions["prompt"];
  const prompt = withMarks(written, request) as CallOptions["prompt"];
  const changes: Partial<CallOptions> = prompt === params.prompt ? {} : { prompt };
  if (!same(request.tools, before.tools)) {
    changes.tools = request.tools.map((tool) => call.tools.get(tool) ?? fromTool(tool));
  }
  if (request.toolChoice !== before.toolChoice && request.toolChoice !== undefined) {
    changes.toolChoice = fromToolChoice(request.toolChoice);
  }
  if (request.outputSchema !== before.outputSchema) {
    changes.responseFormat =
      request.outputSchema === undefined
        ? { type: "text" }
        : { ...params.responseFormat, type: "json", schema: request.outputSchema as object };
  }
  if (request.settings !== before.settings) Object.assign(changes, fromSettings(request.settings ?? {}));
  return { ...params, ...changes };
}

const same = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one === other || (one.length === other.length && one.every((item, index) => item === other[index]));

/**
 * Returns the call options without a field in a neutral request. Headers are left out, since they may differ between
 * equal calls.
 */
export function besideOf(params: CallOptions): Pick<ModelRequest, "beside"> {
  const { providerOptions, responseFormat, tools = [] } = params;
  const reasoning = "reasoning" in params ? params.reasoning : undefined;
  const isText = responseFormat === undefined || responseFormat.type === "text";
  const more = tools.some((tool) => Object.keys(tool).some((key) => !read.has(key)));
  if (providerOptions === undefined && reasoning === undefined && isText && !more) return {};
  return { beside: () => ({ providerOptions, reasoning, responseFormat, tools: more ? tools : undefined }) };
}

/** The fields of a tool that the neutral tool contains. */
const read = new Set(["type", "name", "description", "inputSchema"]);

const shared = ["temperature", "topP", "topK", "stopSequences", "seed", "frequencyPenalty", "presencePenalty"] as const;

function settingsOf(params: CallOptions): ModelSettings {
  const settings: Record<string, unknown> = {};
  for (const name of shared) if (params[name] !== undefined) settings[name] = params[name];
  if (params.maxOutputTokens !== undefined) settings.maxTokens = params.maxOutputTokens;
  return settings;
}

function fromSettings(settings: ModelSettings): Partial<CallOptions> {
  const { maxTokens, ...rest } = settings;
  const known = Object.fromEntries(shared.map((name) => [name, rest[name]]));
  return { ...known, maxOutputTokens: maxTokens } as Partial<CallOptions>;
}
