import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  type BaseMessage,
  type BaseMessageLike,
  coerceMessageLikeToMessage,
  SystemMessage,
} from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import { RunnableBinding, RunnableSequence } from "@langchain/core/runnables";
import { concat } from "@langchain/core/utils/stream";
import type { FrameworkRuns } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import { Queue } from "../async/queue.js";
import { inRun } from "../in-run.js";
import { standInModel } from "../stand-in.js";
import { type Inner, innerOf, isChatModel, type Options, streamsItself } from "./guarded.js";
import { isNamedModel, rebound, remembered } from "./original.js";
import { isPlainModel, type PlainModel } from "./plain.js";
import { type Handler, RoundRequest, type WrapModelRequest } from "./request.js";
import { Round } from "./round.js";

type Derive = (this: void, ...args: never[]) => unknown;

/** The methods that make another model, or a chain, from a chat model. */
const derivations = ["bindTools", "withConfig", "withStructuredOutput"] as const;

/**
 * Returns a copy of a model for middlewares that call it themselves. All its calls pass through the layers. For the
 * agent's calls the middleware of the plugins uses the original.
 */
export function directModel<T>(model: T, runs: FrameworkRuns): T {
  if (RunnableBinding.isRunnableBinding(model)) {
    return remembered(rebound(model, directModel(model.bound, runs)) as T, model);
  }
  if (RunnableSequence.isRunnableSequence(model)) {
    const [first, ...rest] = model.steps.map((step) => directModel(step, runs));
    return remembered(RunnableSequence.from([first, ...rest] as never) as T, model);
  }
  if (!isChatModel(model) && !isPlainModel(model)) return model;
  const derived = derivations.flatMap((name) => {
    const derive: unknown = Reflect.get(model, name);
    if (typeof derive !== "function") return [];
    const value = (...args: never[]): unknown => directModel((derive as Derive).apply(model as never, args), runs);
    return [[name, { value }] as const];
  });
  const calls = isNamedModel(model)
    ? {
        _getModelInstance: {
          value: async (config?: object) => directModel(await model._getModelInstance(config), runs),
        },
      }
    : isPlainModel(model)
      ? { invoke: { value: invokesThrough(model, runs) } }
      : callsThrough(model, runs);
  return remembered(standInModel(model, { ...calls, ...Object.fromEntries(derived) }), model);
}

/** Returns the core methods of a chat model. Each call is a separate round. */
function callsThrough(model: BaseChatModel, runs: FrameworkRuns): PropertyDescriptorMap {
  async function generate(messages: BaseMessage[], options: Options, manager?: CallbackManagerForLLMRun) {
    let result: ChatResult = { generations: [] };
    await runRound(model, runs, messages, async (guarded, all) => {
      result = await guarded._generate(all, options, manager);
      return result.generations[0]?.message;
    });
    return result;
  }

  async function* stream(messages: BaseMessage[], options: Options, manager?: CallbackManagerForLLMRun) {
    const chunks = new Queue<ChatGenerationChunk>();
    let stopped = false;
    const answer = runRound(model, runs, messages, async (guarded, all) => {
      let joined: ChatGenerationChunk | undefined;
      for await (const chunk of guarded._streamResponseChunks(all, options, manager)) {
        if (stopped) break;
        chunks.push(chunk);
        joined = joined === undefined ? chunk : concat(joined, chunk);
      }
      return joined?.message;
    });
    answer.then(
      () => chunks.end(),
      (error) => chunks.end({ error }),
    );
    try {
      yield* chunks;
    } finally {
      stopped = true;
    }
  }

  return {
    _generate: { value: generate },
    // Cached answers would bypass the layers, and the cache is shared with callers without plugins.
    cache: { value: undefined },
    ...(streamsItself(model) && { _streamResponseChunks: { value: stream } }),
    // The provider's events would bypass the layers, so events are created from the chunks.
    _streamChatModelEvents: { value: BaseChatModel.prototype._streamChatModelEvents },
  };
}

/** Returns the `invoke` of a plain model. Each call is a separate round. */
const invokesThrough = (model: PlainModel, runs: FrameworkRuns) => (input: unknown, config?: object) => {
  const inputMessages = messagesOf(input);
  return runRound(model, runs, inputMessages, (guarded, all) => {
    const same = all.length === inputMessages.length && all.every((message, index) => message === inputMessages[index]);
    const answer = (guarded as unknown as PlainModel).invoke(same ? input : all, config);
    return answer as Promise<BaseMessage>;
  });
};

function messagesOf(input: unknown): BaseMessage[] {
  if (isRecord(input) && typeof input.toChatMessages === "function") return input.toChatMessages();
  const all: readonly unknown[] = Array.isArray(input) ? input : [input];
  return all.map((message) => coerceMessageLikeToMessage(message as BaseMessageLike));
}

type RoundBody = (guarded: Inner, messages: BaseMessage[]) => Promise<BaseMessage | undefined>;

/** Runs a round. `body` calls the model. */
function runRound(
  model: BaseChatModel | PlainModel,
  runs: FrameworkRuns,
  all: BaseMessage[],
  body: RoundBody,
): Promise<unknown> {
  const [first, ...rest] = all;
  const leads = SystemMessage.isInstance(first);
  const systemMessage = leads ? first : new SystemMessage("");
  const fields = { model, messages: leads ? rest : all, systemMessage, systemPrompt: systemMessage.text, tools: [] };
  const handler = (async ({ model: guarded, messages, systemMessage: system }) => {
    const prompt = system === undefined || system.text === "" ? [] : [system];
    const answer = await body(innerOf(guarded as BaseChatModel), [...prompt, ...messages]);
    return (answer ?? new AIMessage("")) as AIMessage;
  }) satisfies Handler;
  return inRun(runs, (within) =>
    new Round(
      runs.stack,
      within,
      new RoundRequest(fields as unknown as WrapModelRequest, model as WrapModelRequest["model"], []),
      handler,
    ).result(),
  );
}
