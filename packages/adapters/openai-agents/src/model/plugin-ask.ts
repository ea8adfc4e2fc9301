import { getCurrentTrace, NoopTrace, withTrace } from "@openai/agents";
import {
  type CallId,
  type Delta,
  type Invocation,
  type ModelRequest,
  type Outcome,
  type Reply,
  type RuntimeContext,
  redactorOf,
} from "@suite/core";
import { askThrough, type PluginStack, type Run } from "@suite/core/adapter";
import { abortable, countUsage, tellUsage } from "@suite/core/framework";
import { OpenAIAgentsError } from "../errors.js";
import { type AgentLike, isModel, type RunnerLike, type SdkModel, type SdkRequest } from "../framework.js";
import { nameModel, nameOfModel, providerOfModel } from "./name.js";
import { readRequest, requestOf, sentTo } from "./request.js";
import { readAnswer } from "./response.js";
import { isWatched } from "./watched.js";

/** One round of a run: its model and the SDK's request. */
interface Round {
  readonly model: SdkModel;
  readonly request?: SdkRequest;
}

/** The runner of each run, whose provider has other models. */
const runners = new WeakMap<RuntimeContext, RunnerLike>();

const rounds = new WeakMap<Run, Round>();

/** Stores the current model call of a run. Plugins call the same model. */
export const noteRound = (run: Run, model: SdkModel, request: SdkRequest): void =>
  void rounds.set(run, { model, request });

/** Lets the plugins of a run call its model (`runtime.ask`) and read the usage of its model calls (`usageOf`). */
export function serveAsk(run: Run, stack: PluginStack, agent: AgentLike, runner: RunnerLike): void {
  if (!isWatched(stack)) return;
  tellUsage(run);
  runners.set(run, runner);
  run.ask = async (askRequest, options) => {
    const { model, request: lastRequest } = rounds.get(run) ?? (await firstRound(agent, runner));
    const call = (request: ModelRequest, parent: CallId): Promise<Outcome<Delta, Reply>> =>
      stack.call(
        "model",
        run,
        request,
        async (invocation) => {
          const { signal } = invocation;
          const chosen = await modelOfAttempt(model, invocation);
          const { request } = invocation;
          const sdkRequest = requestOf(readRequest(blank(lastRequest)), request);
          const sent = { ...sentTo(chosen, sdkRequest, redactorOf(run)), signal };
          const { reply } = readAnswer(
            await abortable(
              traced(() => chosen.getResponse(sent)),
              signal,
            ),
          );
          countUsage(run, reply.usage);
          invocation.respond({ value: reply });
        },
        parent,
      );
    return askThrough({ model: nameOfModel(model), ...providerOfModel(model) }, call)(askRequest, options);
  };
}

/** Returns the model that the SDK would call first. As in the SDK, the agent's model precedes the runner's. */
async function firstRound(agent: AgentLike, runner: RunnerLike): Promise<Round> {
  const model = agent.model || runner.config.model;
  return { model: isModel(model) ? model : await named(typeof model === "string" ? model : "", runner) };
}

/**
 * Returns the model of an attempt: that of the round, another one of the runner's provider if a layer changed the name,
 * or the `client` of a layer. With a client, the request gets that client's name.
 */
export async function modelOfAttempt(defaultModel: SdkModel, invocation: Invocation<"model">): Promise<SdkModel> {
  const { client, provider: _, ...request } = invocation.request;
  if (client === undefined || client === defaultModel) {
    return request.model === nameOfModel(defaultModel)
      ? defaultModel
      : named(request.model, runners.get(invocation.runtime));
  }
  if (!isModel(client)) {
    throw new OpenAIAgentsError(
      "ERR_OPENAI_AGENTS_UNSUPPORTED",
      "The client of a model request must be a Model of OpenAI Agents.",
    );
  }
  invocation.request = { ...request, client, model: nameOfModel(client), ...providerOfModel(client) };
  return client;
}

/** Runs a model call within a trace. The SDK's models require one, which is missing outside of the SDK's run. */
const traced = <T>(call: () => Promise<T>): Promise<T> =>
  getCurrentTrace() === null ? withTrace(new NoopTrace(), call) : call();

async function named(name: string, runner: RunnerLike | undefined): Promise<SdkModel> {
  const model = await runner?.config.modelProvider?.getModel(name);
  if (model === undefined) {
    throw new OpenAIAgentsError(
      "ERR_OPENAI_AGENTS_UNSUPPORTED",
      "A plugin requested a model by name, but the runner has no modelProvider. Set one.",
    );
  }
  nameModel(model, name);
  return model;
}

/** Returns an empty request with the current input. Its messages are recognised by it. */
const blank = (request: SdkRequest | undefined): SdkRequest => ({
  ...{ input: request?.input ?? [], modelSettings: {}, tools: [], handoffs: [], outputType: "text" },
  tracing: false,
});
