import type { Delta, Outcome, Suspended, Usage } from "@suite/core";
import { AiSdkError } from "../errors.js";
import type { StreamPart } from "../framework.js";
import type { StreamReader } from "./read-stream.js";
import { StreamWriter } from "./write-stream.js";

/** Milliseconds that an aborted model may take to say so. */
const abortLimitMs = 50;

/** Options of a model's stream. */
interface ModelStreamOptions {
  /** The caller's signal, which the model has too. */
  readonly signal?: AbortSignal | undefined;
  /** A callback for the usage that the model itself tells, before any layer sees it. */
  used?(usage: Usage | undefined): void;
}

/** A model's stream, read as deltas. Closing it cancels the model's stream at once, also while that is silent. */
export class ModelStream implements AsyncIterable<Delta, void> {
  /** The error that the model's stream itself broke with, which is no error chunk. */
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
        // One that was aborted says itself how it ends.
        if (this.options.signal?.aborted !== true) await this.#reader.cancel();
        return { done: true, value: undefined };
      },
    };
  }

  /** The finish chunk of an answer that failed at once: its text was not seen by any layer, and does not go on. */
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

  /** The error that the stream of an aborted call breaks with; undefined where it goes on, or is silent, as it may. */
  async brokenByAbort(reason: unknown): Promise<{ readonly error: unknown } | undefined> {
    if (this.options.signal?.aborted !== true) return { error: reason };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silent = new Promise((resolve) => {
      timer = setTimeout(resolve, abortLimitMs);
    });
    try {
      await Promise.race([this.#reader.read(), silent]);
      return undefined;
    } catch (error) {
      return { error };
    } finally {
      clearTimeout(timer);
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
    // One that failed amid its answer goes on to its end, and has failed then.
    if (reading.failed !== undefined && step.done) throw reading.failed.error;
    if (step.done) return { done: true, value: undefined };
    const delta = reading.read(step.value);
    // One that failed at once can still be asked again.
    if (reading.failed !== undefined && reading.made === 0) throw reading.failed.error;
    if (delta?.type === "finish") this.options.used?.(delta.usage);
    return delta === undefined ? this.#next() : { done: false, value: delta };
  };

  readonly #broke = (error: unknown): never => {
    this.broken = { error };
    throw error;
  };
}

type Step = IteratorResult<Delta, void>;

/** A filter for chunks on their way out. */
export interface Pass {
  accept(chunks: readonly StreamPart[]): readonly StreamPart[];
  /** The chunks that it has held back, at the end. */
  end(): Promise<readonly StreamPart[]>;
}

const passAll: Pass = { accept: (chunks) => chunks, end: async () => [] };

/**
 * An answer as the framework's stream. It is pulled, so that the consumer sets the pace.
 *
 * @param source the model's stream; undefined where a layer answered and no model was asked.
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
      start(given) {
        controller = given;
        source?.reading.besideTo((chunk) => give(writing.beside(chunk)));
      },
      pull,
      async cancel() {
        await deltas.return?.();
      },
    },
    { highWaterMark: 0 },
  );

  /** Pulls the next chunk. Not async: one promise a chunk beside the answer's own. */
  function pull(): Promise<void> {
    return deltas.next().then(stepped, broken);
  }

  function stepped({ done = false, value }: IteratorResult<Delta, Suspended | undefined>): void | Promise<void> {
    try {
      if (!done) return give(writing.accept(value as Delta)) ? undefined : pull();
      if (value !== undefined) throw suspendedModelCall(value as Suspended);
      give(writing.end());
    } catch (error) {
      return broken(error);
    }
    return close().catch(broken);
  }

  async function broken(error: unknown): Promise<void> {
    await deltas.return?.();
    await fail(error);
  }

  /** Gives chunks to the consumer. Whether anything went out. */
  function give(chunks: readonly StreamPart[]): boolean {
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

  /** Ends the stream as the model's own failed: a broken one breaks, an error chunk is one, and the finish comes after it. */
  async function fail(error: unknown): Promise<void> {
    const failed = source?.reading.failed;
    const { status } = await outcome.settled;
    if (source?.broken?.error === error) return controller.error(error);
    const broken = status === "cancelled" ? await brokenBy(error) : undefined;
    if (broken !== undefined) return controller.error(broken.error);
    if (failed === undefined || failed.error !== error) {
      give(writing.rest());
      controller.enqueue({ type: "error", error });
      return controller.close();
    }
    const finish = await source?.failedFinish();
    give(writing.end().filter(({ type }) => type !== "finish"));
    if (finish !== undefined) give([finish]);
    await close();
  }
}

type Controller = ReadableStreamDefaultController<StreamPart>;

const suspendedModelCall = ({ suspended }: Suspended): AiSdkError =>
  new AiSdkError(
    "ERR_AI_SDK_NO_PLACE",
    `A layer suspended a model call for ${suspended.length} pending calls. The AI SDK waits for tools alone: suspend the tool call.`,
  );
