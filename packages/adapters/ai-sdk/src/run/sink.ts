/** The result of reading a stream once. */
type Read<T> = ReadableStreamReadResult<T>;

/**
 * A writable stream with one reader, which receives each chunk directly from the writer. It replaces an identity
 * `TransformStream`, whose second queue needs more promises per chunk than all layers.
 */
export class SingleReaderSink<T> {
  readonly writable: WritableStream<T>;
  #controller: WritableStreamDefaultController | undefined;
  #reading: { resolve(read: Read<T>): void; reject(error: unknown): void } | undefined;
  /** A chunk that waits for the reader. */
  #offered: { readonly chunk: T; readonly resolve: () => void } | undefined;
  #end: { readonly error?: unknown } | undefined;

  constructor() {
    this.writable = new WritableStream<T>({
      start: (controller) => {
        this.#controller = controller;
      },
      write: (chunk) => this.#write(chunk),
      close: () => this.#over({}),
      abort: (error) => this.#over({ error }),
    });
  }

  /** Reads the next chunk. Must not be called again before the promise has settled. */
  read(): Promise<Read<T>> {
    const offered = this.#offered;
    if (offered !== undefined) {
      this.#offered = undefined;
      offered.resolve();
      return Promise.resolve({ done: false, value: offered.chunk });
    }
    const end = this.#end;
    if (end !== undefined) return "error" in end ? Promise.reject(end.error) : Promise.resolve(over);
    return new Promise((resolve, reject) => {
      this.#reading = { resolve, reject };
    });
  }

  /** Cancels reading. The writer gets an error. */
  cancel(reason?: unknown): void {
    this.#over({});
    this.#offered?.resolve();
    this.#offered = undefined;
    this.#controller?.error(reason);
  }

  #write(chunk: T): Promise<void> | undefined {
    const reading = this.#reading;
    if (reading !== undefined) {
      this.#reading = undefined;
      reading.resolve({ done: false, value: chunk });
      return undefined;
    }
    return new Promise((resolve) => {
      this.#offered = { chunk, resolve };
    });
  }

  #over(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    const reading = this.#reading;
    this.#reading = undefined;
    if ("error" in end) reading?.reject(end.error);
    else reading?.resolve(over);
  }
}

const over: Read<never> = { done: true, value: undefined };
