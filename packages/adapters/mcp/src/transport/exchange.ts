import type { JSONRPCRequest, JSONRPCResponse, RequestId } from "../protocol.js";

/** An error answer of the other side, or of a handler, as the layers see it. */
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

/** The exchanges that wait for an answer, by the id of the request that was passed on. */
export type Waiting = Map<RequestId, Exchange | undefined>;

/**
 * One request that is held while it passes the layers. It is then passed on with their changes and waits for its
 * answer.
 */
export class Exchange {
  readonly request: JSONRPCRequest;
  /**
   * The id of the request that is passed on: the original, or a new one if a layer retries or the original is in use.
   */
  id: RequestId;
  readonly #waiting: Waiting;
  readonly #abort = new AbortController();
  #used = false;
  #answer: ((response: JSONRPCResponse) => void) | undefined;

  constructor(request: JSONRPCRequest, waiting: Waiting) {
    this.request = request;
    this.id = request.id;
    this.#waiting = waiting;
  }

  /** Aborts when the caller does not need the answer any more. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }
  /** True if the request was passed on and is not answered. */
  get waits(): boolean {
    return this.#waiting.get(this.id) === this;
  }

  /** Cancels the exchange, because the caller does not need the answer any more or the connection is closed. */
  cancel(reason: unknown): void {
    this.#abort.abort(
      new DOMException(typeof reason === "string" ? reason : "The request was cancelled.", "AbortError"),
    );
  }

  /** Receives the answer to the request that was passed on. */
  answer(response: JSONRPCResponse): void {
    this.#answer?.(response);
  }

  /**
   * Passes the request on with these parameters. The engine ensures that no layer does this twice at the same time.
   *
   * @returns the result of its answer.
   * @throws Refusal if the answer is an error, the error of passing it on, or the reason of an abort.
   */
  async ask(params: JSONRPCRequest["params"], pass: (request: JSONRPCRequest) => unknown): Promise<unknown> {
    this.signal.throwIfAborted();
    if (this.#used || this.#waiting.has(this.id)) this.id = crypto.randomUUID();
    this.#used = true;
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
