import type { Delta, ModelRequest, Reply } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import { any } from "@suite/kit/options";
import { jsonOf, responsesSettings, toResponsesToolChoice } from "@suite/wire";
import type OpenAI from "openai";
import { type Checks, checkOptions } from "../../check-options.js";
import { signerOf } from "../../signer.js";
import type { Model, ModelCallOptions } from "../model.js";
import { failureIn, failureOf, withStatus } from "../openai/failure.js";
import { clientChecks, clientOf, type OpenAIOptions } from "../openai/model.js";
import { fitsStrict } from "../openai/strict.js";
import { type DeferLoading, outputSchemaOf, parametersOf } from "../schema.js";
import { CallSignal, carrying, closable, cut, cutOr, serverOf } from "../wire/call.js";
import { itemsOf } from "./messages.js";
import { ResponseReader } from "./reader.js";

/** The options of `openaiResponses`: the server and how it is called. */
export type OpenAIResponsesOptions = Omit<OpenAIOptions, "sendReasoning"> & {
  /**
   * Returns true for tools that the model finds by the provider's tool search instead of reading them in each request
   * (`defer_loading`). Needs `{ type: "tool_search" }` among the `tools` of the settings. Default: none.
   */
  readonly deferLoading?: DeferLoading;
};

const checks: Checks<OpenAIResponsesOptions> = { ...clientChecks, deferLoading: any };

/**
 * Creates a client of OpenAI's responses API, or of a compatible server. Needs the `openai` package.
 *
 * - The provider stores nothing: `store` is false unless the settings change it, and the whole history is sent each
 * time. Reasoning is sent back encrypted, as the API sent it, or not at all.
 * - Settings with OpenTelemetry names are renamed to the API's. Others are passed on unchanged (`reasoning`, `text`,
 * `include`, …). `tools` among them are the provider's tools (web search, …), which are added to those of the request.
 * - `outputSchema` is strict if the API supports it: all objects are closed and require all their properties.
 * - A refusal is read as text, with the finish reason `content_filter`.
 * - A response that failed rejects with the SDK's `APIError`, with the code and the message of the provider.
 * - A client that is created here does not log: the SDK's log contains model output.
 *
 * @throws the SDK's error, unchanged, if it has no credentials.
 * @example
 * ```ts
 * const model = openaiResponses("gpt-5", { apiKey: process.env.OPENAI_API_KEY });
 * ```
 */
export function openaiResponses(modelName: string, options: OpenAIResponsesOptions = {}): Model {
  options = checkOptions("openaiResponses", options, checks);
  const client = options.client ?? clientOf(options);
  const api: Api = { client, deferLoading: options.deferLoading };
  const server = serverOf(client.baseURL);
  return {
    name: modelName,
    provider: options.provider ?? "openai",
    server,
    signer: signerOf("responses", server),
    generate: (request, call) => generate(api, request, call),
    stream: (request, options) => closable(options.signal, (call) => read(api, request, call, options)),
  };
}

interface Api {
  readonly client: OpenAI;
  readonly deferLoading: DeferLoading | undefined;
}

async function generate(api: Api, request: ModelRequest, options: ModelCallOptions): Promise<Reply> {
  const { client } = api;
  const call = new CallSignal(options.signal);
  try {
    const response: unknown = await carrying(options.carrierFor?.(client.baseURL), (more) =>
      client.responses.create({ ...paramsOf(request, api), stream: false }, { signal: call.signal, ...more }),
    );
    const body = jsonOf(response);
    if (body.status === "failed") throw failureOf(body.error);
    const failure = failureIn(body);
    if (failure !== undefined) throw failure;
    if (!Array.isArray(body.output)) throw cut("The response has no output");
    const reader = new ResponseReader();
    const deltas = reader.complete(body);
    return assembleReply([...deltas, reader.finish ?? { type: "finish" }]);
  } catch (error) {
    throw cutOr(error);
  } finally {
    call.release();
  }
}

async function* read(
  api: Api,
  request: ModelRequest,
  call: CallSignal,
  options: ModelCallOptions,
): AsyncGenerator<Delta, void> {
  const { client } = api;
  try {
    const events = await carrying(options.carrierFor?.(client.baseURL), (more) =>
      client.responses.create({ ...paramsOf(request, api), stream: true }, { signal: call.signal, ...more }),
    );
    const reader = new ResponseReader();
    for await (const event of events) {
      const body = jsonOf(event);
      if (body.type === "error") throw failureOf(body);
      if (body.type === "response.failed") throw failureOf(jsonOf(body.response).error);
      for (const delta of reader.read(body)) yield delta;
    }
    const { finish } = reader;
    if (call.isReadToEnd(finish !== undefined, "The stream ended without a response.completed")) yield finish as Delta;
  } catch (error) {
    throw cutOr(withStatus(error));
  } finally {
    call.release();
  }
}

type Params = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "stream">;

const names: Readonly<Record<string, string>> = { __proto__: null as never, ...responsesSettings };

/** Returns the body of a request. Fields of the request take precedence over settings with the API's names. */
function paramsOf(request: ModelRequest, { deferLoading }: Api): Params {
  const { tools, toolChoice, outputSchema } = request;
  const settings: Partial<Params> = Object.fromEntries(
    Object.entries(request.settings ?? {}).map(([name, value]) => [names[name] ?? name, value]),
  );
  return {
    store: false,
    ...settings,
    model: request.model,
    input: itemsOf(request.messages),
    ...(tools.length > 0 && {
      tools: [
        ...tools.map((tool) => ({
          type: "function" as const,
          name: tool.name,
          ...(tool.description !== undefined && { description: tool.description }),
          parameters: parametersOf(tool),
          strict: false,
          ...(deferLoading?.(tool) === true && { defer_loading: true }),
        })),
        ...(settings.tools ?? []),
      ],
    }),
    ...(toolChoice !== undefined && { tool_choice: toResponsesToolChoice(toolChoice) }),
    ...(outputSchema !== undefined && { text: { ...settings.text, format: formatOf(outputSchema) } }),
  };
}

function formatOf(outputSchema: unknown): OpenAI.Responses.ResponseFormatTextJSONSchemaConfig {
  const schema = outputSchemaOf(outputSchema);
  return { type: "json_schema", name: "output", schema, strict: fitsStrict(schema) };
}
