import type { Delta } from "@suite/core";
import { isDone } from "../neutral/answer-events.js";
import type { EventStream } from "../neutral/event-stream.js";
import type { ServerEvent } from "../sse/event.js";
import type { FrameReader, Framing } from "../sse/framing.js";

/**
 * The maximum time between the last event and the end of the body, in milliseconds. A body that was read to its end
 * frees its connection.
 */
const endLimit = 250;

const lineFeed = 10;

type Step = IteratorResult<Delta, void>;

/** A pending step that is awaited once. It reuses the promise of the body instead of creating another one. */
interface Coming {
  then<T>(onStep: (step: Step) => T | PromiseLike<T>, broke: (error: unknown) => T | PromiseLike<T>): Promise<T>;
}

const over: IteratorReturnResult<void> = { done: true, value: undefined };

/**
 * The deltas of a streamed body, read on demand. An event is read after all earlier ones have passed the layers, so an
 * event without deltas keeps its position. The source can be closed during a pull.
 */
export class Source implements AsyncIterable<Delta, void> {
  /** Called when all received events have been pulled and the source waits for the body. */
  onWait: (() => void) | undefined;
  /**
   * The events between the end of the answer and the end of the body: comments, OpenAI's end mark, an incomplete event.
   */
  trailing: Promise<readonly ServerEvent[]> | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #format: EventStream;
  readonly #events: FrameReader;
  readonly #torn: string;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #received: readonly ServerEvent[] = [];
  /** The bytes of these events, if they contain nothing else. */
  #bytes: Uint8Array | undefined;
  /** True if the next bytes start with a new event. */
  #between = true;
  #nextEvent = 0;
  #deltas: readonly Delta[] = [];
  #nextDelta = 0;
  #over = false;

  constructor(body: ReadableStream<Uint8Array>, format: EventStream, framing: Framing) {
    this.#events = framing.reader();
    this.#torn = framing.torn;
    this.#reader = webStream(body).getReader();
    this.#format = format;
  }

  /** True if the next pull has to wait for the body. */
  get drained(): boolean {
    return !this.#over && this.#nextDelta >= this.#deltas.length && this.#nextEvent >= this.#received.length;
  }

  /**
   * Returns the original bytes of one event, or of all events of the last network chunk. Returns `undefined` for other
   * lists.
   */
  bytesOf(events: readonly ServerEvent[]): Uint8Array | undefined {
    const [first] = events;
    if (first !== undefined && events.length === 1) {
      const { bytes } = first;
      first.bytes = undefined; // returned only once: the reader may transfer the buffer
      return bytes;
    }
    const all =
      events.length === this.#received.length && events.every((event, index) => event === this.#received[index]);
    return all ? this.#bytes : undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<Delta, void> {
    return {
      // The engine accepts a step without a promise. A promise for each step would be most of its cost.
      next: () => this.#next() as Promise<Step>,
      return: async () => {
        this.#over = true;
        await letGo(this.#reader);
        return over;
      },
    };
  }

  #next(): Step | Coming {
    const step = this.#ready();
    if (step !== undefined) return step;
    this.onWait?.();
    const reading = this.#reader.read();
    return {
      // biome-ignore lint/suspicious/noThenProperty: it is read as a promise is
      then: (onStep, broke) =>
        reading.then(
          (read) => {
            let step: Step | Coming;
            try {
              step = this.#fed(read);
            } catch (error) {
              return broke(error);
            }
            return "then" in step ? step.then(onStep, broke) : onStep(step);
          },
          (error) => {
            this.#reader.releaseLock();
            this.#over = true;
            this.#queue(this.#format.fail(error));
            try {
              return onStep(this.#ready() as Step);
            } catch (failed) {
              return broke(failed);
            }
          },
        ),
    };
  }

  #fed({ done, value }: ReadableStreamReadResult<Uint8Array>): Step | Coming {
    if (done) {
      this.#over = true;
      this.#reader.releaseLock();
      const { rest } = this.#events;
      this.#queue(this.#format.close(rest));
      if (rest.trim() !== "" && this.#torn !== "") this.trailing = Promise.resolve([{ data: "", source: this.#torn }]);
    } else {
      this.#feed(value);
    }
    return this.#next();
  }

  #feed(bytes: Uint8Array): void {
    const atStart = this.#between;
    try {
      this.#received = this.#events.feed(this.#decoder.decode(bytes, { stream: true }));
    } catch (error) {
      this.#end();
      throw error;
    }
    this.#nextEvent = 0;
    // After a line feed the decoder holds no incomplete character.
    this.#between = this.#events.between && bytes[bytes.length - 1] === lineFeed;
    this.#bytes = atStart && this.#between ? bytes : undefined;
    const [only] = this.#received;
    if (only !== undefined && this.#received.length === 1 && this.#bytes !== undefined) only.bytes = bytes;
  }

  /** Returns the next delta of the received events. Returns `undefined` if all are read. */
  #ready(): Step | undefined {
    for (;;) {
      const delta = this.#deltas[this.#nextDelta++];
      if (delta !== undefined) return { done: false, value: delta };
      this.#queue([]);
      this.#format.settle();
      if (this.#format.failure !== undefined) throw this.#format.failure.error;
      if (this.#over) return over;
      const event = this.#received[this.#nextEvent++];
      if (event === undefined) return undefined;
      this.#read(event);
    }
  }

  #read(event: ServerEvent): void {
    this.#queue(this.#format.read(event));
    if (this.#format.finished || this.#format.failure !== undefined) this.#end();
  }

  #queue(deltas: readonly Delta[]): void {
    this.#deltas = deltas;
    this.#nextDelta = 0;
  }

  #end(): void {
    this.#over = true;
    this.trailing = this.#readTrailing(this.#received.slice(this.#nextEvent));
  }

  /** Reads the rest of the body for a short time, so that its connection can be used again. */
  async #readTrailing(events: readonly ServerEvent[]): Promise<readonly ServerEvent[]> {
    const trailing = events.filter(isTrailing);
    const limit = setTimeout(() => void letGo(this.#reader), endLimit); // ends a read that waits
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        trailing.push(...this.#events.feed(this.#decoder.decode(value, { stream: true })).filter(isTrailing));
      }
      this.#reader.releaseLock();
    } catch {
      await letGo(this.#reader); // the answer is complete, so later errors do not matter
    } finally {
      clearTimeout(limit);
    }
    return trailing;
  }
}

/** Converts a body to a web stream. A `fetch` such as node-fetch returns a stream of Node. */
function webStream(body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  if ("getReader" in body) return body;
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

const isTrailing = (event: ServerEvent): boolean => event.data === "" || isDone(event);

/** Cancels the body so that the server stops sending, and releases the lock, which the owner of the body may check. */
async function letGo(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  await reader.cancel().catch(() => {});
  reader.releaseLock();
}
