import {
  type CallId,
  type Delta,
  type Invocation,
  type ModelRequest,
  type Outcome,
  type Reply,
  redactorOf,
} from "@suite/core";
import { askThrough, type PluginStack, type Run } from "@suite/core/adapter";
import { abortable, countUsage, tellUsage } from "@suite/core/framework";
import { AiSdkError } from "../errors.js";
import type { CallOptions, Model } from "../framework.js";
import { fromMessages } from "../messages/from-neutral.js";
import { ReadReply } from "../messages/reply.js";
import { withToolContent } from "../messages/tool-content.js";
import { noteAtWork } from "./at-work.js";
import { providerOf } from "./provider.js";
import { paramsOf, type ReadCall, readCall } from "./request.js";
import { isNamed, resolveModel } from "./resolve.js";

/** The model that plugins can call, and the framework's call of it. */
export interface Askable {
  readonly model: Model;
  /** The headers of the framework's calls. They may contain credentials. */
  readonly headers?: CallOptions["headers"];
  /** The current round. Its messages are sent as the framework passed them. */
  readonly round?: ReadCall;
}

/**
 * Enables the plugins of a run to call its model (`runtime.ask`) and to read the usage of its model calls (`usageOf`).
 */
export function serveAsk(run: Run, stack: PluginStack, askable: () => Askable): void {
  // Once per run, since each of its rounds calls this function.
  if (run.ask === undefined) tellUsage(run);
  run.ask = async (askRequest, options) => {
    const current = askable();
    const { modelId, provider } = current.model;
    const call = (request: ModelRequest, parent: CallId): Promise<Outcome<Delta, Reply>> => {
      noteAtWork(run, stack);
      return stack.call(
        "model",
        run,
        request,
        async (invocation) => {
          const { signal } = invocation;
          const attemptModel = modelOfAttempt(current.model, invocation);
          const { request } = invocation;
          const params = { ...withToolContent(paramsFor(request, current, run), attemptModel), abortSignal: signal };
          const result = await abortable(attemptModel.doGenerate(params), signal);
          const { reply } = new ReadReply(result, redactorOf(run));
          countUsage(run, reply.usage);
          invocation.respond({ value: reply });
        },
        parent,
      );
    };
    return askThrough({ model: modelId, provider: providerOf(provider) }, call)(askRequest, options);
  };
}

/**
 * Returns the call options for a plugin's request. Messages of the round are sent as the framework passed them. The
 * rest is created from the request.
 */
function paramsFor(request: ModelRequest, { round, headers }: Askable, run: Run): CallOptions {
  const blank = readCall({ prompt: [], ...(headers !== undefined && { headers }) });
  const params = paramsOf(blank, { ...request, messages: [] });
  const known = new Map([...(round?.system ?? []), ...(round?.request.messages ?? [])].map((each, at) => [each, at]));
  const messages = fromMessages({ originals: [], messages: [], redactor: redactorOf(run) }, request.messages);
  const prompt = request.messages.map((message, index) => {
    const at = known.get(message);
    return at === undefined ? messages[index] : round?.originals[at];
  });
  return { ...params, prompt: prompt as CallOptions["prompt"] };
}

/**
 * Returns the model for an attempt: the framework's model, or the one that a layer set by name or as `client`. The
 * request then contains the name of that model.
 */
export function modelOfAttempt(defaultModel: Model, invocation: Invocation<"model">): Model {
  const { client, model: name } = invocation.request;
  if (client === undefined || client === defaultModel) return modelFor(defaultModel, name);
  if (!isLanguageModel(client)) {
    throw new AiSdkError(
      "ERR_AI_SDK_UNSUPPORTED",
      "The client of a model request must be a language model of the AI SDK.",
    );
  }
  const model = resolveModel(client);
  invocation.request = { ...invocation.request, model: model.modelId, provider: providerOf(model.provider) };
  return model;
}

const isLanguageModel = (client: unknown): client is Model =>
  typeof client === "object" && client !== null && "doGenerate" in client && "doStream" in client;

/**
 * Returns the model with this name. It can differ from the run's model only if the caller passed an id, since model
 * objects do not reveal their provider.
 */
function modelFor(model: Model, name: string): Model {
  if (name === model.modelId) return model;
  if (isNamed(model)) return resolveModel(name);
  throw new AiSdkError(
    "ERR_AI_SDK_UNSUPPORTED",
    "A plugin requested another model by name, but this call uses a model object. Pass the plugin a model object too, or call the AI SDK with a model id.",
  );
}
