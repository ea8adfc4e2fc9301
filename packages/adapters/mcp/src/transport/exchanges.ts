import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse, RequestId } from "../protocol.js";
import { Exchange, type Waiting } from "./exchange.js";

/**
 * The open requests of one direction, including those without layers. An answer to an unknown request has not passed
 * the layers and must be dropped.
 */
export class Exchanges {
  readonly #open = new Set<Exchange>();
  readonly #waiting: Waiting = new Map();

  open(request: JSONRPCRequest): Exchange {
    const exchange = new Exchange(request, this.#waiting);
    this.#open.add(exchange);
    return exchange;
  }

  /** Registers a request without layers. */
  passed({ id }: JSONRPCRequest): void {
    if (!this.#waiting.has(id)) this.#waiting.set(id, undefined);
  }

  /** Removes an exchange. Returns a cancel notification if it was passed on and a layer did not wait for the answer. */
  close(exchange: Exchange): JSONRPCNotification | undefined {
    this.#open.delete(exchange);
    if (!exchange.waits) return undefined;
    this.#waiting.delete(exchange.id);
    const params = { requestId: exchange.id, reason: "A plugin did not wait for the response." };
    return { jsonrpc: "2.0", method: "notifications/cancelled", params };
  }

  /**
   * Passes a response to the exchange that waits for it (`held`). Otherwise returns `free` if it must be passed on, or
   * `unasked` if its request is unknown.
   */
  settle(response: JSONRPCResponse): "held" | "free" | "unasked" {
    const id = this.#asWaiting(response.id);
    if (id === undefined) return "unasked";
    const exchange = this.#waiting.get(id);
    this.#waiting.delete(id);
    exchange?.answer(response);
    return exchange === undefined ? "free" : "held";
  }

  /**
   * Cancels the request that this notification names. Returns the notification with the id of the request that was
   * passed on, or `undefined` if it was not passed on.
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

  /** Returns the original id of the request that was passed on with this id. */
  originalIdOf(id: RequestId): RequestId {
    return this.#waiting.get(id)?.request.id ?? id;
  }

  /** The SDK accepts "5" for 5. */
  #asWaiting(id: RequestId | undefined): RequestId | undefined {
    if (id === undefined || this.#waiting.has(id)) return id;
    return this.#waiting.has(Number(id)) ? Number(id) : undefined;
  }
}

const isId = (value: unknown): value is RequestId => typeof value === "string" || typeof value === "number";
