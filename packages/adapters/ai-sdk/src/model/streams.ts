import type { Delta, Outcome, Usage } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import { inTime } from "@suite/kit/time";
import { AiSdkError } from "../errors.js";
import type { StreamPart } from "../framework.js";
import type { StreamReader } from "./read-stream.js";
import { StreamWriter } from "./write-stream.js";

/** The time that an aborted model has to report its error, in milliseconds. */
const abortLimitMs = 50;

/** Options of a model's stream. */
interface ModelStreamOptions {
  /** The caller's signal. The model has it, too. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the usage that the model reports, before any layer sees it. */
  used?(usage: Usage | undefined): void;
}

/** A model's stream, read as deltas. Closing it cancels the model's stream at once, even if no chunk arrives. */
export class ModelStream implements AsyncIterable<Delta, void> {
  /** The error of the model's stream itself. It is not an error chunk. */
  broken: { readonly error: unknown } | undefined;
  readonly #reader: ReadableStreamDefaultReader<StreamPart>;

  constructor(
    stream: ReadableStream<StreamPart>,
    readonly reading: StreamReader,
    readonly options: ModelStreamOptions = {},
  ) {
    this.#reader = stream.getReader();
  }

  [Symbol.asyncIterator](): AsyncIterator<Delta, void> {
    return {
      next: () => this.#next(),
      return: async () => {
        // An aborted model ends its stream itself.
        if (this.options.signal?.aborted !== true) await this.#reader.cancel();
        return { done: true, value: undefined };
      },
    };
  }

  /**
   * Returns the finish chunk of an answer that failed before its first delta. No layer has seen the text that follows,
   * so it is dropped.
   */
  async failedFinish(): Promise<StreamPart | undefined> {
    const { reading } = this;
    while (reading.failedFinish === undefined) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      if (value.type === "finish") reading.read(value);
    }
    void this.#reader.cancel().catch(() => {});
    return reading.failedFinish;
  }

  /**
   * Returns the error of the stream after an abort. Returns `undefined` if the stream continues or stays silent, which
   * are both allowed.
   */
  async brokenByAbort(reason: unknown): Promise<{ readonly error: unknown } | undefined> {
    if (this.options.signal?.aborted !== true) return { error: reason };
    try {
      await inTime(this.#reader.read(), abortLimitMs);
      return undefined;
    } catch (error) {
      return { error };
    } finally {
      this.#reader.cancel(reason).catch(() => {}); // it is over in any case
    }
  }

  #next(): Promise<IteratorResult<Delta, void>> {
    const { more } = this.reading;
    if (more === undefined) return this.#reader.read().then(this.#stepped, this.#broke);
    this.reading.more = undefined;
    return Promise.resolve({ done: false, value: more });
  }

  readonly #stepped = (step: ReadableStreamReadResult<StreamPart>): Step | Promise<Step> => {
    const { reading } = this;
    // An answer that failed in the middle continues to its end and fails there.
    if (reading.failed !== undefined && step.done) throw reading.failed.error;
    if (step.done) return { done: true, value: undefined };
    const delta = reading.read(step.value);
    // An answer that failed before its first delta can be requested again.
    if (reading.failed !== undefined && reading.deltaCount === 0) throw reading.failed.error;
    if (delta?.type === "finish") this.options.used?.(delta.usage);
    return delta === undefined ? this.#next() : { done: false, value: delta };
  };

  readonly #broke = (error: unknown): never => {
    this.broken = { error };
    throw error;
  };
}

type Step = IteratorResult<Delta, void>;

/** A filter for outgoing chunks. */
export interface Pass {
  accept(chunks: readonly StreamPart[]): readonly StreamPart[];
  /** Returns the chunks that the filter has held back, at the end. */
  end(): Promise<readonly StreamPart[]>;
}

const passAll: Pass = { accept: (chunks) => chunks, end: async () => [] };

/**
 * Returns an answer as the framework's stream. The consumer controls the pace.
 *
 * @param source the model's stream, or `undefined` if a layer answered without a model
 */
export function streamOf(
  outcome: AsyncIterable<Delta, Suspended | undefined> & Pick<Outcome<Delta, unknown>, "settled">,
  source: ModelStream | undefined,
  pass: Pass = passAll,
): ReadableStream<StreamPart> {
  const writing = new StreamWriter(source?.reading);
  const deltas = outcome[Symbol.asyncIterator]();
  let controller: Controller;
  return new ReadableStream<StreamPart>(
    {
      start(streamController) {
        controller = streamController;
        source?.reading.otherChunksTo((chunk) => send(writing.beside(chunk)));
      },
      pull,
      async cancel() {
        await deltas.return?.();
      },
    },
    { highWaterMark: 0 },
  );

  /** Pulls the next chunk. It is not async, which saves one promise per chunk. */
  function pull(): Promise<void> {
    return deltas.next().then(stepped, broken);
  }

  function stepped({ done = false, value }: IteratorResult<Delta, Suspended | undefined>): void | Promise<void> {
    try {
      if (!done) return send(writing.accept(value as Delta)) ? undefined : pull();
      if (value !== undefined) throw suspendedModelCall(value as Suspended);
      send(writing.end());
    } catch (error) {
      return broken(error);
    }
    return close().catch(broken);
  }

  async function broken(error: unknown): Promise<void> {
    await deltas.return?.();
    await fail(error);
  }

  /** Sends chunks to the consumer. Returns true if at least one was sent. */
  function send(chunks: readonly StreamPart[]): boolean {
    if (chunks.length === 0) return false;
    const out = pass.accept(chunks);
    for (const chunk of out) controller.enqueue(chunk);
    return out.length > 0;
  }

  async function brokenBy(reason: unknown): Promise<{ readonly error: unknown } | undefined> {
    return source === undefined ? { error: reason } : source.brokenByAbort(reason);
  }

  async function close(): Promise<void> {
    for (const chunk of await pass.end()) controller.enqueue(chunk);
    controller.close();
  }

  /**
   * Ends the stream as the model's stream failed: with its error, or with its error chunk and the finish chunk after
   * it.
   */
  async function fail(error: unknown): Promise<void> {
    const failed = source?.reading.failed;
    const { status } = await outcome.settled;
    if (source?.broken?.error === error) return controller.error(error);
    const broken = status === "cancelled" ? await brokenBy(error) : undefined;
    if (broken !== undefined) return controller.error(broken.error);
    if (failed === undefined || failed.error !== error) {
      send(writing.rest());
      controller.enqueue({ type: "error", error });
      return controller.close();
    }
    const finish = await source?.failedFinish();
    send(writing.end().filter(({ type }) => type !== "finish"));
    if (finish !== undefined) send([finish]);
    await close();
  }
}

type Controller = ReadableStreamDefaultController<StreamPart>;

const suspendedModelCall = ({ suspended }: Suspended): AiSdkError =>
  new AiSdkError(
    "ERR_AI_SDK_UNSUPPORTED",
    `A layer suspended a model call for ${suspended.length} pending calls. The AI SDK can only suspend tool calls: suspend the tool call.`,
  );
