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

/** The model that plugins may ask, and what is known of the framework's call of it. */
export interface Askable {
  readonly model: Model;
  /** The headers of the framework's own calls: they may hold what lets the caller in. */
  readonly headers?: CallOptions["headers"];
  /** The round that is asked in: its messages are sent as the framework gave them. */
  readonly round?: ReadCall;
}

/** Lets the plugins of a run ask its model (`runtime.ask`), and see what its model calls have used (`usageOf`). */
export function serveAsk(run: Run, stack: PluginStack, askable: () => Askable): void {
  // Once for a run: each of its rounds serves this anew.
  if (run.ask === undefined) tellUsage(run);
  run.ask = async (asked, options) => {
    const given = askable();
    const { modelId, provider } = given.model;
    const call = (request: ModelRequest, parent: CallId): Promise<Outcome<Delta, Reply>> => {
      noteAtWork(run, stack);
      return stack.call(
        "model",
        run,
        request,
        async (invocation) => {
          const { signal } = invocation;
          const asks = askedModel(given.model, invocation);
          const { request: left } = invocation;
          const params = { ...withToolContent(paramsFor(left, given, run), asks), abortSignal: signal };
          const result = await abortable(asks.doGenerate(params), signal);
          const { reply } = new ReadReply(result, redactorOf(run));
          countUsage(run, reply.usage);
          invocation.respond({ value: reply });
        },
        parent,
      );
    };
    return askThrough({ model: modelId, provider: providerOf(provider) }, call)(asked, options);
  };
}

/** The call options of a plugin's request: messages of the round as the framework gave them, the rest made of what the plugin wrote. */
function paramsFor(request: ModelRequest, { round, headers }: Askable, run: Run): CallOptions {
  const blank = readCall({ prompt: [], ...(headers !== undefined && { headers }) });
  const params = paramsOf(blank, { ...request, messages: [] });
  const known = new Map([...(round?.system ?? []), ...(round?.request.messages ?? [])].map((each, at) => [each, at]));
  const made = fromMessages({ originals: [], messages: [], redactor: redactorOf(run) }, request.messages);
  const prompt = request.messages.map((message, index) => {
    const at = known.get(message);
    return at === undefined ? made[index] : round?.originals[at];
  });
  return { ...params, prompt: prompt as CallOptions["prompt"] };
}

/**
 * The model that an attempt asks: the framework's own, or the one that a layer named, or gave as `client`. The request then
 * has the name of that one.
 */
export function askedModel(own: Model, invocation: Invocation<"model">): Model {
  const { client, model: name } = invocation.request;
  if (client === undefined || client === own) return modelFor(own, name);
  if (!isLanguageModel(client)) {
    throw new AiSdkError(
      "ERR_AI_SDK_NO_PLACE",
      "The client of a model request must be a language model of the AI SDK.",
    );
  }
  const model = resolveModel(client);
  invocation.request = { ...invocation.request, model: model.modelId, provider: providerOf(model.provider) };
  return model;
}

const isLanguageModel = (client: unknown): client is Model =>
  typeof client === "object" && client !== null && "doGenerate" in client && "doStream" in client;

/** The model of this name. Another one than the run's is there where the caller named theirs: objects of models do not tell where they come from. */
function modelFor(model: Model, name: string): Model {
  if (name === model.modelId) return model;
  if (isNamed(model)) return resolveModel(name);
  throw new AiSdkError(
    "ERR_AI_SDK_NO_PLACE",
    "A plugin asked for another model by its name, and the AI SDK was given a model as an object. Give the plugin the other model as an object, too, or name the model of the call by its id.",
  );
}
