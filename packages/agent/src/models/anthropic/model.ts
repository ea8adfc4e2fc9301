import Anthropic from "@anthropic-ai/sdk";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type { Delta, ModelRequest, Reply } from "@suite/core";
import type { ModelSettings } from "@suite/core/contract";
import { any } from "@suite/kit/options";
import { jsonOf, messagesSettings, stringOf, toMessagesToolChoice } from "@suite/wire";
import { type Checks, checkOptions } from "../../check-options.js";
import { AgentError } from "../../errors.js";
import { signerOf } from "../../signer.js";
import type { JsonSchema } from "../../tools/schema.js";
import type { Model, ModelCallOptions } from "../model.js";
import { type DeferLoading, outputSchemaOf, parametersOf } from "../schema.js";
import { type CallSignal, carrying, closable, cut, cutOr, serverOf, withHeaders } from "../wire/call.js";
import { historyOf } from "./messages.js";
import { EventReader, finishOf, partOf } from "./reader.js";

/** The options of `anthropic`: the server and how it is called. */
export interface AnthropicOptions {
  /** A custom client, for settings that are not offered here. It replaces the three options below. */
  readonly client?: Anthropic;
  /** The API key. Default `ANTHROPIC_API_KEY`. */
  readonly apiKey?: string;
  /** The address without `/v1`. Default `ANTHROPIC_BASE_URL`, or Anthropic's address. */
  readonly baseURL?: string;
  /** The number of retries by the SDK, which plugins cannot see. Default 0: use a layer that retries. */
  readonly maxRetries?: number;
  /**
   * Returns true for tools that the model finds by the provider's tool search instead of reading them in each request
   * (`defer_loading`). Needs a search tool among the `tools` of the settings. Default: none.
   */
  readonly deferLoading?: DeferLoading;
  /** The provider's name for telemetry, as in `gen_ai.provider.name`. Default `anthropic`. */
  readonly provider?: string;
}

/**
 * Creates a client of Anthropic's messages API. Needs the `@anthropic-ai/sdk` package.
 *
 * - Settings with OpenTelemetry names are renamed to the API's. Others are passed on unchanged (`thinking`,
 * `cache_control`, `context_management`, …). `tools` among them are the provider's tools (web search, …), which are added
 * to those of the request. `betas` is a list of names for the header `anthropic-beta`.
 * - `maxTokens` defaults to 8192, because the API requires it. Above about 21,000 the SDK refuses answers that do not
 * stream.
 * - `outputSchema` becomes `output_config.format`. Keywords that the API does not check become a description.
 * - All system messages are joined to one system prompt. Thinking is sent back only with its signature. Names of
 * participants and citations are not sent.
 * - A client that is created here neither logs nor traces: the SDK's log contains model output, and its spans are not
 * redacted.
 *
 * @example
 * ```ts
 * const model = anthropic("claude-sonnet-5", { apiKey: process.env.ANTHROPIC_API_KEY });
 * ```
 */
export function anthropic(modelName: string, options: AnthropicOptions = {}): Model {
  options = checkOptions("anthropic", options, anthropicChecks);
  const client = options.client ?? clientOf(options);
  const api: Api = { client, deferLoading: options.deferLoading };
  const server = serverOf(client.baseURL);
  return {
    name: modelName,
    provider: options.provider ?? "anthropic",
    server,
    signer: signerOf("messages", server),
    generate: (request, call) => generate(api, request, call),
    stream: (request, options) => closable(options.signal, (call) => read(api, request, call, options)),
  };
}

interface Api {
  readonly client: Anthropic;
  readonly deferLoading: DeferLoading | undefined;
}

const anthropicChecks: Checks<AnthropicOptions> = {
  client: any,
  apiKey: any,
  baseURL: any,
  maxRetries: any,
  deferLoading: any,
  provider: any,
};

const clientOf = ({ apiKey, baseURL, maxRetries = 0 }: AnthropicOptions): Anthropic =>
  new Anthropic({
    maxRetries,
    logLevel: "off",
    openTelemetry: false,
    ...(apiKey !== undefined && { apiKey }),
    ...(baseURL !== undefined && { baseURL }),
  });

async function generate(api: Api, request: ModelRequest, options: ModelCallOptions): Promise<Reply> {
  const { client } = api;
  const { signal, carrierFor } = options;
  const beta = betaHeader(request.settings);
  const answer = await carrying(carrierFor?.(client.baseURL), (more) =>
    client.messages.create({ ...paramsOf(request, api), stream: false }, { signal, ...withHeaders(more, beta) }),
  ).catch((error: unknown) => {
    throw cutOr(error);
  });
  if (jsonOf(answer).type === "error") throw failureOf(answer);
  if (!Array.isArray(answer.content)) throw cut("The response has no content");
  const { type: _, ...finish } = finishOf(answer);
  return { message: { role: "assistant", parts: answer.content.map(partOf) }, ...finish };
}

async function* read(
  api: Api,
  request: ModelRequest,
  call: CallSignal,
  options: ModelCallOptions,
): AsyncGenerator<Delta, void> {
  const { client } = api;
  try {
    const beta = betaHeader(request.settings);
    const events = await carrying(options.carrierFor?.(client.baseURL), (more) =>
      client.messages.create(
        { ...paramsOf(request, api), stream: true },
        { signal: call.signal, ...withHeaders(more, beta) },
      ),
    );
    const reader = new EventReader();
    for await (const event of events) {
      const delta = reader.read(event);
      if (delta !== undefined) yield delta;
    }
    call.isReadToEnd(reader.finished, "The stream ended without a message_stop");
  } catch (error) {
    throw cutOr(error);
  } finally {
    call.release();
  }
}

/**
 * Creates the SDK's error for an answer with status 200 that contains an `error` object, as the SDK does for streams.
 */
const failureOf = (answer: unknown): unknown =>
  new Anthropic.APIError(undefined, jsonOf(answer), stringOf(jsonOf(jsonOf(answer).error).message), undefined);

type Params = Omit<Anthropic.MessageCreateParamsNonStreaming, "stream">;

/** The API requires a limit. Thinking counts towards it. */
const defaultMaxTokens = 8192;

/** Returns the body of a request. Fields of the request take precedence over settings with the API's names. */
function paramsOf(request: ModelRequest, { deferLoading }: Api): Params {
  const { tools, toolChoice, outputSchema } = request;
  const settings = settingsOf(request.settings ?? {});
  return {
    max_tokens: defaultMaxTokens,
    ...settings,
    model: request.model,
    ...historyOf(request.messages, request.cacheMarks),
    ...(tools.length > 0 && {
      tools: [
        ...tools.map((tool) => ({
          name: tool.name,
          ...(tool.description !== undefined && { description: tool.description }),
          input_schema: parametersOf(tool),
          ...(deferLoading?.(tool) === true && { defer_loading: true }),
        })),
        ...(settings.tools ?? []),
      ],
    }),
    ...(toolChoice !== undefined && { tool_choice: toMessagesToolChoice(toolChoice) }),
    ...(outputSchema !== undefined && {
      output_config: {
        ...settings.output_config,
        format: { type: "json_schema", schema: withinSubset(outputSchemaOf(outputSchema)) },
      },
    }),
  };
}

/** Returns a schema with the keywords that the API checks. All others become a description, as in the SDK's helpers. */
function withinSubset(schema: JsonSchema): JsonSchema {
  try {
    return transformJSONSchema(schema);
  } catch {
    return schema; // the provider then reports the fault
  }
}

const names: Readonly<Record<string, string>> = { __proto__: null as never, ...messagesSettings };
/** Returns the header for the setting `betas`. */
function betaHeader({ betas }: ModelSettings = {}): Readonly<Record<string, string>> {
  if (betas === undefined) return {};
  if (Array.isArray(betas) && betas.every((beta) => typeof beta === "string"))
    return { "anthropic-beta": betas.join(",") };
  throw new AgentError("ERR_AGENT_MODEL_REQUEST", "The setting `betas` is a list of names. Give it as an array.");
}

const missing: ReadonlySet<string> = new Set(["seed", "frequencyPenalty", "presencePenalty"]);

function settingsOf(settings: ModelSettings): Partial<Params> {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  for (const [name] of entries) {
    if (!missing.has(name)) continue;
    throw new AgentError("ERR_AGENT_MODEL_REQUEST", `Anthropic's messages API has no setting \`${name}\`. Remove it.`);
  }
  const inBody = entries.filter(([name]) => name !== "betas");
  return Object.fromEntries(inBody.map(([name, value]) => [names[name] ?? name, value]));
}
