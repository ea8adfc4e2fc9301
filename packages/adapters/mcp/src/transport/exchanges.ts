import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { Exchange, type Waiting } from "./exchange.js";

/**
 * The requests of one direction that are on their way. Every one is known, also those that no layer is round: an answer to
 * none of them was not seen by the layers, and nobody may have it.
 */
export class Exchanges {
  readonly #open = new Set<Exchange>();
  readonly #waiting: Waiting = new Map();

  open(request: JSONRPCRequest): Exchange {
    const exchange = new Exchange(request, this.#waiting);
    this.#open.add(exchange);
    return exchange;
  }

  /** Tells of a request that no layer is round. */
  passed({ id }: JSONRPCRequest): void {
    if (!this.#waiting.has(id)) this.#waiting.set(id, undefined);
  }

  /** Lets an exchange go. Gives what tells that nobody waits, where it was passed on and a layer has not waited for it. */
  close(exchange: Exchange): JSONRPCNotification | undefined {
    this.#open.delete(exchange);
    if (!exchange.waits) return undefined;
    this.#waiting.delete(exchange.id);
    const params = { requestId: exchange.id, reason: "A layer did not wait for the answer." };
    return { jsonrpc: "2.0", method: "notifications/cancelled", params };
  }

  /** Gives a response to the exchange that waits for it; else says whether it goes on (`free`), or nobody has asked. */
  settle(response: JSONRPCResponse): "held" | "free" | "unasked" {
    const id = this.#asWaiting(response.id);
    if (id === undefined) return "unasked";
    const exchange = this.#waiting.get(id);
    this.#waiting.delete(id);
    exchange?.answer(response);
    return exchange === undefined ? "free" : "held";
  }

  /**
   * Cancels what this message says is cancelled. Gives the message with the id that the request was passed on under;
   * undefined where it was not passed on.
   */
  cancel(message: JSONRPCNotification): JSONRPCMessage | undefined {
    const { requestId, reason } = message.params ?? {};
    for (const exchange of this.#open) {
      if (exchange.request.id !== requestId) continue;
      const { waits, id } = exchange;
      exchange.cancel(reason);
      return waits ? { ...message, params: { ...message.params, requestId: id } } : undefined;
    }
    if (isId(requestId)) this.#waiting.delete(requestId);
    return message;
  }

  cancelAll(): void {
    for (const exchange of this.#open) exchange.cancel("The connection was closed.");
    this.#waiting.clear();
  }

  /** The id that a request came with which was passed on under this one. */
  cameWith(id: RequestId): RequestId {
    return this.#waiting.get(id)?.request.id ?? id;
  }

  /** The SDK takes "5" for 5. */
  #asWaiting(id: RequestId | undefined): RequestId | undefined {
    if (id === undefined || this.#waiting.has(id)) return id;
    return this.#waiting.has(Number(id)) ? Number(id) : undefined;
  }
}

const isId = (value: unknown): value is RequestId => typeof value === "string" || typeof value === "number";
