import type { Delta } from "@suite/core";
import { isDone } from "../neutral/answer-events.js";
import type { EventStream } from "../neutral/event-stream.js";
import type { ServerEvent } from "../sse/event.js";
import type { FrameReader, Framing } from "../sse/framing.js";

/** The time that a body may take to end after its last event, in milliseconds. One that ended lets its connection be used again. */
const endLimit = 250;

const lineFeed = 10;

type Step = IteratorResult<Delta, void>;

/** A step that is waited for, once: a promise of its own for each would be one more than that of the body. */
interface Coming {
  then<T>(came: (step: Step) => T | PromiseLike<T>, broke: (error: unknown) => T | PromiseLike<T>): Promise<T>;
}

const over: IteratorReturnResult<void> = { done: true, value: undefined };

/**
 * The deltas of a streamed body, as they are pulled. An event is read when all that came before it has gone through the layers,
 * so that one which says nothing to them goes on in its place. It can be closed while a pull is under way.
 */
export class Source implements AsyncIterable<Delta, void> {
  /** A listener, told when all that came has been pulled and the body is waited for. */
  onWait: (() => void) | undefined;
  /** The events after the last one of the answer, when the body has ended: comments, OpenAI's mark of the end, a torn event. */
  trailing: Promise<readonly ServerEvent[]> | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #format: EventStream;
  readonly #events: FrameReader;
  readonly #torn: string;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #came: readonly ServerEvent[] = [];
  /** The bytes that these events came in, where they hold these events and nothing else. */
  #bytes: Uint8Array | undefined;
  /** Whether the next bytes begin with an event. */
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

  /** Whether the next pull has to wait for the body. */
  get drained(): boolean {
    return !this.#over && this.#nextDelta >= this.#deltas.length && this.#nextEvent >= this.#came.length;
  }

  /** The bytes that these events came as, where they are of one, or of all that came in the last network chunk. */
  bytesOf(events: readonly ServerEvent[]): Uint8Array | undefined {
    const [first] = events;
    if (first !== undefined && events.length === 1) {
      const { bytes } = first;
      first.bytes = undefined; // given out once: who reads them may take them over
      return bytes;
    }
    const all = events.length === this.#came.length && events.every((event, index) => event === this.#came[index]);
    return all ? this.#bytes : undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<Delta, void> {
    return {
      // The engine takes a step that is there as it is: a promise for each would be most of what it costs.
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
      then: (came, broke) =>
        reading.then(
          (read) => {
            let step: Step | Coming;
            try {
              step = this.#fed(read);
            } catch (error) {
              return broke(error);
            }
            return "then" in step ? step.then(came, broke) : came(step);
          },
          (error) => {
            this.#reader.releaseLock();
            this.#over = true;
            this.#say(this.#format.fail(error));
            try {
              return came(this.#ready() as Step);
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
      this.#say(this.#format.close(rest));
      if (rest.trim() !== "" && this.#torn !== "") this.trailing = Promise.resolve([{ data: "", source: this.#torn }]);
    } else {
      this.#feed(value);
    }
    return this.#next();
  }

  #feed(bytes: Uint8Array): void {
    const atStart = this.#between;
    try {
      this.#came = this.#events.feed(this.#decoder.decode(bytes, { stream: true }));
    } catch (error) {
      this.#end();
      throw error;
    }
    this.#nextEvent = 0;
    // Behind a line feed no character is half come either.
    this.#between = this.#events.between && bytes[bytes.length - 1] === lineFeed;
    this.#bytes = atStart && this.#between ? bytes : undefined;
    const [only] = this.#came;
    if (only !== undefined && this.#came.length === 1 && this.#bytes !== undefined) only.bytes = bytes;
  }

  /** The next delta of what has come. */
  #ready(): Step | undefined {
    for (;;) {
      const delta = this.#deltas[this.#nextDelta++];
      if (delta !== undefined) return { done: false, value: delta };
      this.#say([]);
      this.#format.settle();
      if (this.#format.failure !== undefined) throw this.#format.failure.error;
      if (this.#over) return over;
      const event = this.#came[this.#nextEvent++];
      if (event === undefined) return undefined;
      this.#read(event);
    }
  }

  #read(event: ServerEvent): void {
    this.#say(this.#format.read(event));
    if (this.#format.finished || this.#format.failure !== undefined) this.#end();
  }

  #say(deltas: readonly Delta[]): void {
    this.#deltas = deltas;
    this.#nextDelta = 0;
  }

  #end(): void {
    this.#over = true;
    this.trailing = this.#readTrailing(this.#came.slice(this.#nextEvent));
  }

  /** Reads what comes after the answer, for a short time: a body that was read to its end lets its connection be used again. */
  async #readTrailing(came: readonly ServerEvent[]): Promise<readonly ServerEvent[]> {
    const trailing = came.filter(isTrailing);
    const limit = setTimeout(() => void letGo(this.#reader), endLimit); // it ends a read that waits
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        trailing.push(...this.#events.feed(this.#decoder.decode(value, { stream: true })).filter(isTrailing));
      }
      this.#reader.releaseLock();
    } catch {
      await letGo(this.#reader); // the answer is complete, whatever comes after it
    } finally {
      clearTimeout(limit);
    }
    return trailing;
  }
}

/** The body as a stream of the web: that of a `fetch` like node-fetch is one of Node's. */
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

/** Tells the server that nobody reads on. Whoever gave the body may ask whether somebody still holds it. */
async function letGo(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  await reader.cancel().catch(() => {});
  reader.releaseLock();
}
