import type { JSONRPCRequest, JSONRPCResponse, RequestId } from "@modelcontextprotocol/sdk/types.js";

/** An error that the other side, or a handler, answered with, as the layers see it. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    message: string,
    readonly code: number,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The exchanges that wait for an answer, by the id that the request was passed on under. */
export type Waiting = Map<RequestId, Exchange | undefined>;

/** One request that is held while it passes the layers: passed on as they made it, then waiting for its answer. */
export class Exchange {
  readonly request: JSONRPCRequest;
  /** The id that the request is passed on under: its own, or a new one where a layer tries again, or where its own is taken. */
  id: RequestId;
  readonly #waiting: Waiting;
  readonly #abort = new AbortController();
  #asked = false;
  #answer: ((response: JSONRPCResponse) => void) | undefined;

  constructor(request: JSONRPCRequest, waiting: Waiting) {
    this.request = request;
    this.id = request.id;
    this.#waiting = waiting;
  }

  /** Aborts when nobody wants the answer any more. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }
  /** Whether the request was passed on, and is not answered. */
  get waits(): boolean {
    return this.#waiting.get(this.id) === this;
  }

  /** Cancels the exchange: nobody wants the answer any more, or the connection is gone. */
  cancel(reason: unknown): void {
    this.#abort.abort(
      new DOMException(typeof reason === "string" ? reason : "The request was cancelled.", "AbortError"),
    );
  }

  /** Takes the answer to the request that was passed on. */
  answer(response: JSONRPCResponse): void {
    this.#answer?.(response);
  }

  /**
   * Passes the request on with these parameters. The engine sees to it that no layer asks twice at a time.
   *
   * @returns the result of its answer.
   * @throws Refusal for an error in answer to it; what passing it on threw; the reason of an abort.
   */
  async ask(params: JSONRPCRequest["params"], pass: (request: JSONRPCRequest) => unknown): Promise<unknown> {
    this.signal.throwIfAborted();
    if (this.#asked || this.#waiting.has(this.id)) this.id = crypto.randomUUID();
    this.#asked = true;
    try {
      const response = await new Promise<JSONRPCResponse>((resolve, reject) => {
        this.#answer = resolve;
        this.#waiting.set(this.id, this);
        this.signal.addEventListener("abort", () => reject(this.signal.reason), { once: true });
        Promise.resolve(pass({ ...this.request, id: this.id, ...(params && { params }) })).catch(reject);
      });
      if (!("error" in response)) return response.result;
      throw new Refusal(response.error.message, response.error.code, response.error.data);
    } finally {
      if (this.waits) this.#waiting.delete(this.id);
    }
  }
}
