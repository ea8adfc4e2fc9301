import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import { RunnableBinding } from "@langchain/core/runnables";
import { concat } from "@langchain/core/utils/stream";
import { LangChainAdapterError } from "../errors.js";
import { standInModel } from "../stand-in.js";
import type { Attempt } from "./attempt.js";
import { originalModel, rebound } from "./original.js";
import { guardedPlainModel, isPlainModel, type PlainModel } from "./plain.js";

export type Options = BaseChatModel["ParsedCallOptions"] & { readonly promptIndex?: number };

/** The inner methods of a chat model. They are protected in its types and implemented by providers. */
export interface Inner {
  readonly streaming?: boolean;
  _generate(messages: BaseMessage[], options: Options, manager?: CallbackManagerForLLMRun): Promise<ChatResult>;
  _streamResponseChunks(
    messages: BaseMessage[],
    options: Options,
    manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk>;
}

/**
 * Returns a copy of a model whose answers pass through an attempt. It calls the same model. Callbacks receive the
 * answer after the layers, because the original model gets no callbacks.
 */
function guardedModel(model: BaseChatModel, attempt: Attempt): BaseChatModel {
  const inner = innerOf(model);
  const streams = streamsItself(model);

  const stream = (
    messages: BaseMessage[],
    options: Options,
    manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> =>
    attempt.stream(
      () => inner._streamResponseChunks(attempt.messagesFor(model, messages), attempt.optionsOf(options)),
      (chunk) => {
        const { completion = 0 } = (chunk.generationInfo ?? {}) as { completion?: number };
        const at = { prompt: options.promptIndex ?? 0, completion };
        return manager?.handleLLMNewToken(chunk.text, at, undefined, undefined, undefined, { chunk });
      },
    );

  async function generate(messages: BaseMessage[], options: Options, manager?: CallbackManagerForLLMRun) {
    // Such a model always streams, and sends each token to its callbacks.
    if (streams && inner.streaming === true) return joined(stream(messages, options, manager));
    return attempt.generate(() => inner._generate(attempt.messagesFor(model, messages), attempt.optionsOf(options)));
  }

  return standInModel(model, {
    _generate: { value: generate },
    // Cached answers would bypass the layers. An agent's calls never hit the cache, because each has different options.
    cache: { value: undefined },
    ...(streams && { _streamResponseChunks: { value: stream } }),
    // The provider's events would bypass the layers, so events are created from the chunks.
    _streamChatModelEvents: { value: BaseChatModel.prototype._streamChatModelEvents },
    ...(model.bindTools && {
      bindTools: {
        value: (tools: BindToolsInput[], options?: object) =>
          guardedRunnable(model.bindTools?.(tools, options), attempt),
      },
    }),
  });
}

/** Guards a chat model, or one with bound settings. */
export function guardedRunnable<T>(runnable: T, attempt: Attempt): T {
  if (RunnableBinding.isRunnableBinding(runnable)) {
    return rebound(runnable, guardedRunnable(runnable.bound, attempt)) as T;
  }
  if (isChatModel(runnable)) return guardedModel(originalModel(runnable), attempt) as T;
  const original = originalModel(runnable);
  if (isPlainModel(original))
    return guardedPlainModel(original, attempt, (bound) => guardedRunnable(bound, attempt)) as T;
  throw notAChatModel();
}

export const innerOf = (model: BaseChatModel): Inner => model as unknown as Inner;

/** True if a model streams its answer when LangChain requests it. */
export const streamsItself = (model: BaseChatModel): boolean =>
  model._streamResponseChunks !== BaseChatModel.prototype._streamResponseChunks;

/** Returns the chat model of a runnable. */
export function chatModelOf(runnable: unknown): BaseChatModel | PlainModel {
  if (RunnableBinding.isRunnableBinding(runnable)) return chatModelOf(runnable.bound);
  if (isChatModel(runnable) || isPlainModel(runnable)) return runnable;
  throw notAChatModel();
}

/** True if the value is a chat model, including one of another copy of LangChain. */
export const isChatModel = (value: unknown): value is BaseChatModel =>
  typeof value === "object" && value !== null && "_generate" in value && "getLsParams" in value;

async function joined(chunks: AsyncIterable<ChatGenerationChunk>): Promise<ChatResult> {
  let all: ChatGenerationChunk | undefined;
  for await (const chunk of chunks) all = all === undefined ? chunk : concat(all, chunk);
  return { generations: all === undefined ? [] : [all] };
}

/** Creates the error for a model whose streams would bypass the layers. */
export const notAChatModel = (): LangChainAdapterError =>
  new LangChainAdapterError(
    "ERR_LANGCHAIN_MODEL",
    "The model of this agent is not a LangChain chat model, so its streams cannot be guarded. Pass createAgent a chat model or its name.",
  );
