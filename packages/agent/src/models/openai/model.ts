import type { Delta, Message, ModelRequest, Reply } from "@suite/core";
import type { ModelSettings } from "@suite/core/contract";
import { assembleReply } from "@suite/core/messages";
import { any, flag } from "@suite/kit/options";
import { chatSettings, toChatToolChoice } from "@suite/wire";
import OpenAI from "openai";
import { type Checks, checkOptions } from "../../check-options.js";
import { signerOf } from "../../signer.js";
import type { JsonSchema } from "../../tools/schema.js";
import type { Model, ModelCallOptions } from "../model.js";
import { outputSchemaOf, parametersOf } from "../schema.js";
import { CallSignal, carrying, closable, cut, cutOr, serverOf } from "../wire/call.js";
import { failureIn, withStatus } from "./failure.js";
import { messageConverter } from "./messages.js";
import { CompletionReader } from "./reader.js";
import { fitsStrict } from "./strict.js";

/** The options of `openai`: the server and how it is called. */
export interface OpenAIOptions {
  /** A custom client, for settings that are not offered here. It replaces the three options below. */
  readonly client?: OpenAI;
  /** The API key. Default `OPENAI_API_KEY`. */
  readonly apiKey?: string;
  /**
   * The address of any compatible server, such as `http://localhost:11434/v1`. Default `OPENAI_BASE_URL`, or OpenAI's
   * address.
   */
  readonly baseURL?: string;
  /** The number of retries by the SDK, which plugins cannot see. Default 0: use a layer that retries. */
  readonly maxRetries?: number;
  /** The provider's name for telemetry, as in `gen_ai.provider.name`. Default `openai`, also for compatible servers. */
  readonly provider?: string;
  /**
   * Sends reasoning of the history back as `reasoning_content`. DeepSeek's thinking mode requires it after tool calls,
   * other servers refuse it. Default false. Signed reasoning is always sent back.
   */
  readonly sendReasoning?: boolean;
}

/**
 * Creates a client of OpenAI's chat completions, or of a compatible server. Needs the `openai` package.
 *
 * - Settings with OpenTelemetry names are renamed to the API's. Others are passed on unchanged (`reasoning_effort`, …).
 * `maxTokens` is `max_completion_tokens` at OpenAI and Azure, and `max_tokens` at other servers.
 * - `outputSchema` is strict if the API supports it: all objects are closed and require all their properties.
 * - A refusal is read as text, with the finish reason `content_filter`.
 * - Thought signatures (`extra_content`) and `reasoning_details` are sent back only to the server that sent them.
 * - A client that is created here does not log: the SDK's log contains model output.
 *
 * @throws the SDK's error, unchanged, if it has no credentials.
 * @example
 * ```ts
 * const model = openai("gpt-5", { apiKey: process.env.OPENAI_API_KEY });
 * const local = openai("qwen3", { baseURL: "http://localhost:11434/v1", apiKey: "none" });
 * ```
 */
export function openai(modelName: string, options: OpenAIOptions = {}): Model {
  options = checkOptions("openai", options, openaiChecks);
  const client = options.client ?? clientOf(options);
  const server = serverOf(client.baseURL);
  const signer = signerOf("chat", server);
  const dialect: Dialect = {
    signer,
    messages: messageConverter({ sendReasoning: options.sendReasoning ?? false, signer }),
    maxTokens: isOpenAIs(server?.address) ? "max_completion_tokens" : "max_tokens",
  };
  return {
    name: modelName,
    provider: options.provider ?? "openai",
    server,
    signer,
    generate: (request, call) => generate(client, dialect, request, call),
    stream: (request, options) => closable(options.signal, (call) => read(client, dialect, request, call, options)),
  };
}

/** The options that all model clients have. */
export const clientChecks = { client: any, apiKey: any, baseURL: any, maxRetries: any, provider: any };
const openaiChecks: Checks<OpenAIOptions> = { ...clientChecks, sendReasoning: flag };

/** Creates the client with these options. It does not log. */
export const clientOf = ({ apiKey, baseURL, maxRetries = 0 }: OpenAIOptions): OpenAI =>
  new OpenAI({
    maxRetries,
    logLevel: "off",
    ...(apiKey !== undefined && { apiKey }),
    ...(baseURL !== undefined && { baseURL }),
  });

const isOpenAIs = (address = ""): boolean => /(?:^|\.)(?:openai|azure)\.com$/.test(address);

async function generate(
  client: OpenAI,
  dialect: Dialect,
  request: ModelRequest,
  options: ModelCallOptions,
): Promise<Reply> {
  const call = new CallSignal(options.signal);
  try {
    const params = paramsOf(request, dialect);
    const completion = await carrying(options.carrierFor?.(client.baseURL), (more) =>
      client.chat.completions.create({ ...params, stream: false }, { signal: call.signal, ...more }),
    );
    const failure = failureIn(completion);
    if (failure !== undefined) throw failure;
    const reader = new CompletionReader(dialect.signer);
    const deltas = reader.read(completion);
    if (!completion.choices?.length) throw cut("The response has no choices");
    return assembleReply([...deltas, reader.finish()]);
  } catch (error) {
    throw cutOr(error);
  } finally {
    call.release();
  }
}

async function* read(
  client: OpenAI,
  dialect: Dialect,
  request: ModelRequest,
  call: CallSignal,
  options: ModelCallOptions,
): AsyncGenerator<Delta, void> {
  try {
    const params = paramsOf(request, dialect);
    const chunks = await carrying(options.carrierFor?.(client.baseURL), (more) =>
      client.chat.completions.create(
        { ...params, stream: true, stream_options: { include_usage: true, ...params.stream_options } },
        { signal: call.signal, ...more },
      ),
    );
    const reader = new CompletionReader(dialect.signer);
    for await (const chunk of chunks) {
      const failure = failureIn(chunk);
      if (failure !== undefined) throw failure;
      for (const delta of reader.read(chunk)) yield delta;
    }
    if (call.isReadToEnd(reader.finished, "The stream ended without a finish_reason")) yield* reader.end();
  } catch (error) {
    throw cutOr(withStatus(error));
  } finally {
    call.release();
  }
}

type Params = Omit<OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming, "stream">;

/** The differences between servers of this API. */
interface Dialect {
  readonly signer: string;
  readonly messages: (messages: readonly Message[]) => Params["messages"];
  /** The name of the limit: OpenAI's newer models refuse the old one, other servers may not know the new one. */
  readonly maxTokens: "max_completion_tokens" | "max_tokens";
}

/** Returns the body of a request. Fields of the request take precedence over settings with the API's names. */
function paramsOf(request: ModelRequest, dialect: Dialect): Params {
  const { tools, toolChoice, outputSchema, settings = {} } = request;
  return {
    ...settingsOf(settings, dialect),
    model: request.model,
    messages: dialect.messages(request.messages),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({
        type: "function",
        function: {
          name: tool.name,
          ...(tool.description !== undefined && { description: tool.description }),
          parameters: parametersOf(tool),
        },
      })),
    }),
    ...(toolChoice !== undefined && { tool_choice: toChatToolChoice(toolChoice) }),
    ...(outputSchema !== undefined && { response_format: formatOf(outputSchemaOf(outputSchema)) }),
  };
}

const formatOf = (schema: JsonSchema): NonNullable<Params["response_format"]> => ({
  type: "json_schema",
  json_schema: { name: "output", schema, strict: fitsStrict(schema) },
});

function settingsOf(settings: ModelSettings, { maxTokens }: Dialect): Record<string, unknown> {
  const names: Readonly<Record<string, string>> = { __proto__: null as never, ...chatSettings, maxTokens };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [names[name] ?? name, value]));
}
