import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import type { Delta, Outcome, Redactor, Reply } from "@suite/core";
import type { Answer } from "@suite/core/adapter";
import type { Suspended } from "@suite/core/contract";
import { reasonOf, settlementOf } from "@suite/core/framework";
import { deferred } from "../async/deferred.js";
import { DeltaSource } from "../async/delta-source.js";
import { LangChainAdapterError } from "../errors.js";
import { messagesFor } from "../messages/withheld.js";
import { ChunkStream } from "./chunks/chunk-stream.js";
import { replyOfResult, resultOf } from "./reply.js";

type ModelOutcome = Outcome<Delta, Reply>;

/**
 * One attempt to call the model. LangChain passes a model's answer to callbacks, streams and the graph before a
 * middleware receives it. So the answer waits inside the model until the layers have processed it, and leaves the model
 * in its final form.
 */
export class Attempt {
  readonly #modelAnswer = deferred<Answer<"model">>();
  readonly #outcome = deferred<ModelOutcome>();
  readonly #callsModel: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #redactor: Redactor | undefined;

  /**
   * @param callsModel false if a layer has answered, so that the model only returns this answer.
   * @param signal aborts when a layer abandons the attempt.
   * @param redactor redacts the parts of a changed answer that layers do not see.
   */
  constructor(callsModel = true, signal?: AbortSignal, redactor?: Redactor) {
    this.#callsModel = callsModel;
    this.#signal = signal;
    this.#redactor = redactor;
  }

  /** Returns the options of the model's call with a signal that also aborts when the attempt is abandoned. */
  optionsOf<O extends { readonly signal?: AbortSignal }>(options: O): O {
    if (this.#signal === undefined) return options;
    const { signal } = options;
    return { ...options, signal: signal === undefined ? this.#signal : AbortSignal.any([signal, this.#signal]) };
  }

  /** Returns the messages as the provider of a model accepts them. */
  messagesFor(model: BaseChatModel, messages: BaseMessage[]): BaseMessage[] {
    return messagesFor(model.getLsParams({} as never).ls_provider, messages, this.#redactor);
  }

  /** The answer of the model for the layers. It resolves when the model is called. */
  get modelAnswer(): Promise<Answer<"model">> {
    return this.#modelAnswer.promise;
  }

  /** Sets the outcome of the layers. */
  answer(outcome: ModelOutcome): void {
    this.#outcome.resolve(outcome);
  }

  /** Fails the attempt, because the layers failed or retried. */
  fail(error: unknown): void {
    this.#outcome.reject(error);
  }

  /** Returns a result, as the model's `_generate`. */
  async generate(call: () => Promise<ChatResult>): Promise<ChatResult> {
    let generated: { readonly result: ChatResult; readonly reply: Reply } | undefined;
    try {
      if (this.#callsModel) {
        const result = await call();
        generated = { result, reply: replyOfResult(result) };
        this.#modelAnswer.resolve({ value: generated.reply });
      }
    } catch (error) {
      this.#modelAnswer.reject(error);
    }
    const settlement = await settlementOf(await this.#outcome.promise);
    if (settlement.status === "suspended") throw suspended();
    if (settlement.status !== "completed") throw reasonOf(settlement);
    const reply = settlement.final;
    if (generated === undefined) return resultOf(reply);
    const { result } = generated;
    if (reply !== generated.reply) return resultOf(reply, result, this.#redactor);
    return result.generations.length === 1 ? result : { ...result, generations: result.generations.slice(0, 1) };
  }

  /**
   * Streams chunks, as the model's `_streamResponseChunks`.
   *
   * @param onChunk is awaited after each chunk, when the consumer pulls the next one.
   */
  async *stream(
    call: () => AsyncIterable<ChatGenerationChunk>,
    onChunk: (chunk: ChatGenerationChunk) => Promise<void> | undefined,
  ): AsyncGenerator<ChatGenerationChunk> {
    const chunks = new ChunkStream("", this.#redactor);
    this.#modelAnswer.resolve({ stream: deltasOf(call, chunks) });
    const deltas = (await this.#outcome.promise)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await deltas.next();
        if (step.done === true && step.value !== undefined) throw suspended();
        // Not `yield*`, which costs several promises for each chunk of a list.
        for (const chunk of step.done === true ? chunks.rest() : chunks.write(step.value)) {
          yield chunk;
          await onChunk(chunk);
        }
        if (step.done === true) break;
      }
    } finally {
      await deltas.return?.();
    }
  }
}

const suspended = (): LangChainAdapterError =>
  new LangChainAdapterError(
    "ERR_LANGCHAIN_SUSPENDED",
    "A plugin suspended a model call. LangGraph can only resume interrupts of nodes and tools: suspend a tool call.",
  );

/** Returns the deltas of the model's chunks. The model is called with the first pull. */
function deltasOf(
  call: () => AsyncIterable<ChatGenerationChunk>,
  chunks: ChunkStream,
): AsyncIterable<Delta, Suspended | undefined> {
  let iterator: AsyncIterator<ChatGenerationChunk> | undefined;
  const read = (step: IteratorResult<ChatGenerationChunk>) => (step.done === true ? over : chunks.read(step.value));
  const pull = async (): Promise<readonly Delta[] | typeof over> => {
    iterator = call()[Symbol.asyncIterator]();
    return read(await iterator.next());
  };
  const source = new DeltaSource(
    () => (iterator === undefined ? pull() : iterator.next().then(read)),
    async () => void (await iterator?.return?.()),
  );
  return { [Symbol.asyncIterator]: () => source };
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };
