import Anthropic from "@anthropic-ai/sdk";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type { Delta, ModelRequest, ModelSettings, Reply } from "@suite/core";
import { any } from "@suite/core/options";
import { jsonOf, messagesSettings, stringOf, toMessagesToolChoice } from "@suite/wire";
import { type Checks, checkOptions } from "../../check-options.js";
import { AgentError } from "../../errors.js";
import { signerOf } from "../../signer.js";
import type { JsonSchema } from "../../tools/schema.js";
import type { Model, ModelCallOptions } from "../model.js";
import { outputSchemaOf, parametersOf } from "../schema.js";
import { type CallSignal, carrying, closable, cut, cutOr, serverOf } from "../wire/call.js";
import { historyOf } from "./messages.js";
import { EventReader, finishOf, partOf } from "./reader.js";

/** The options of `anthropic`: the server that is asked, and how. */
export interface AnthropicOptions {
  /** A client of your own, for what the options here do not offer; the three below are then its business. */
  readonly client?: Anthropic;
  /** The API key. Default `ANTHROPIC_API_KEY`. */
  readonly apiKey?: string;
  /** The address without `/v1`. Default `ANTHROPIC_BASE_URL`, else Anthropic's. */
  readonly baseURL?: string;
  /** Retries by the SDK itself, which no plugin sees. Default 0: a layer that retries is seen. */
  readonly maxRetries?: number;
  /** The provider's name for telemetry, as in `gen_ai.provider.name`. Default `anthropic`. */
  readonly provider?: string;
}

/**
 * A model behind Anthropic's messages API. Needs the `@anthropic-ai/sdk` package.
 *
 * - Settings under OpenTelemetry's names become the API's; any other is passed on as given (`thinking`, `cache_control`, …).
 *   `tools` among them are the provider's own (web search, …), beside those of the request.
 * - `maxTokens` is 8192 where it is left out: the API wants one. Above about 21,000 the SDK refuses answers that do not stream.
 * - `outputSchema` becomes `output_config.format`; what the API does not check of it becomes a description.
 * - All system messages become the one system prompt. Thinking goes back with its signature, or not at all.
 *   Names of participants and citations are not carried.
 * - A client that is made here neither logs nor traces: the SDK's log holds what models say, and its spans know no redactor.
 *
 * @example
 * ```ts
 * const model = anthropic("claude-sonnet-5", { apiKey: process.env.ANTHROPIC_API_KEY });
 * ```
 */
export function anthropic(modelName: string, options: AnthropicOptions = {}): Model {
  options = checkOptions("anthropic", options, anthropicChecks);
  const client = options.client ?? clientOf(options);
  const server = serverOf(client.baseURL);
  return {
    name: modelName,
    provider: options.provider ?? "anthropic",
    server,
    signer: signerOf("messages", server),
    generate: (request, call) => generate(client, request, call),
    stream: (request, options) => closable(options.signal, (call) => read(client, request, call, options)),
  };
}

const anthropicChecks: Checks<AnthropicOptions> = {
  client: any,
  apiKey: any,
  baseURL: any,
  maxRetries: any,
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

async function generate(client: Anthropic, request: ModelRequest, options: ModelCallOptions): Promise<Reply> {
  const { signal, carrierFor } = options;
  const answer = await carrying(carrierFor?.(client.baseURL), (more) =>
    client.messages.create({ ...paramsOf(request), stream: false }, { signal, ...more }),
  ).catch((error: unknown) => {
    throw cutOr(error);
  });
  if (jsonOf(answer).type === "error") throw failureOf(answer);
  if (!Array.isArray(answer.content)) throw cut("The answer has no content");
  const { type: _, ...finish } = finishOf(answer);
  return { message: { role: "assistant", parts: answer.content.map(partOf) }, ...finish };
}

async function* read(
  client: Anthropic,
  request: ModelRequest,
  call: CallSignal,
  options: ModelCallOptions,
): AsyncGenerator<Delta, void> {
  try {
    const events = await carrying(options.carrierFor?.(client.baseURL), (more) =>
      client.messages.create({ ...paramsOf(request), stream: true }, { signal: call.signal, ...more }),
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

/** Creates the SDK's error for an answer with status 200 that contains an `error` object, as the SDK has those of streams. */
const failureOf = (answer: unknown): unknown =>
  new Anthropic.APIError(undefined, jsonOf(answer), stringOf(jsonOf(jsonOf(answer).error).message), undefined);

type Params = Omit<Anthropic.MessageCreateParamsNonStreaming, "stream">;

/** The API wants a limit. Thinking counts towards it. */
const defaultMaxTokens = 8192;

/** The body of a request. What the request has goes before what its settings pass on under the API's own names. */
function paramsOf(request: ModelRequest): Params {
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

/** A schema within what the API checks: all else becomes a description, as the SDK's own helpers have it. */
function withinSubset(schema: JsonSchema): JsonSchema {
  try {
    return transformJSONSchema(schema);
  } catch {
    return schema; // for the provider to say what it lacks
  }
}

const names: Readonly<Record<string, string>> = { __proto__: null as never, ...messagesSettings };
const missing: ReadonlySet<string> = new Set(["seed", "frequencyPenalty", "presencePenalty"]);

function settingsOf(settings: ModelSettings): Partial<Params> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  for (const [name] of given) {
    if (!missing.has(name)) continue;
    throw new AgentError(
      "ERR_AGENT_MODEL_REQUEST",
      `Anthropic's messages API has no setting \`${name}\`. Leave it out.`,
    );
  }
  return Object.fromEntries(given.map(([name, value]) => [names[name] ?? name, value]));
}
