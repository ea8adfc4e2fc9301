import type { FrameworkRuns } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import type { Method } from "../methods/method.js";
import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type JSONRPCResultResponse,
  type Params,
  type RequestId,
  type Transport,
  type TransportSendOptions,
  versionOf,
} from "../protocol.js";
import { type Exchange, Refusal } from "./exchange.js";
import { Exchanges } from "./exchanges.js";
import { guardedMethod, looksAt } from "./guards.js";
import { runsByTransport } from "./handlers.js";
import { answerOther } from "./incoming.js";
import { redacted } from "./notifications.js";
import { requestOther } from "./outgoing.js";
import { isProtocolSide, protocolSide } from "./protocol-side.js";

type OnMessage = NonNullable<Transport["onmessage"]>;
type Send = Transport["send"];

/**
 * Returns a transport for the SDK's protocol whose requests and answers pass the layers. Its other members are those of
 * the original transport. If no plugin looks at messages, or if it is guarded already, the transport is returned
 * unchanged.
 *
 * @param handles returns true for a method that the protocol passes to a handler.
 */
export function guardedTransport(
  transport: Transport,
  runs: FrameworkRuns,
  handles: (method: string) => boolean,
): Transport {
  if (isProtocolSide(transport)) return transport;
  const { stack } = runs;
  if (!looksAt(stack)) return transport;
  const outgoing = new Exchanges();
  const received = new Exchanges();
  /** The version of a connection whose requests do not name one: that of the answer to `initialize`. */
  let negotiated: string | undefined;
  const learn = (message: JSONRPCResponse): void => {
    const result = "result" in message && isRecord(message.result) ? message.result : {};
    if (typeof result.protocolVersion === "string" && "capabilities" in result) negotiated = result.protocolVersion;
  };

  /** Returns a notification to pass on, or `undefined` if its request was not passed on. */
  const passing = (message: JSONRPCNotification, exchanges: Exchanges): JSONRPCMessage | undefined => {
    const clean = redacted(message, stack.plugins);
    return message.method === "notifications/cancelled" ? exchanges.cancel(clean) : clean;
  };

  const send: Send = async (message, sendOptions) => {
    const options = sendOptions && relatedTo(sendOptions);
    if (isRequest(message)) {
      const method = guardedMethod(stack, message.method, message.params);
      if (method !== undefined) return forward(method, message, options);
      outgoing.passed(message);
      return transport.send(message, options);
    }
    if (isResponse(message)) {
      if (received.settle(message) !== "free") return;
      learn(message);
      return transport.send(message, options);
    }
    const notification = passing(message, outgoing);
    if (notification !== undefined) await transport.send(notification, options);
  };

  /**
   * Maps the id of a retried request to the original id, so that messages of its handler belong to the original
   * request.
   */
  const relatedTo = (options: TransportSendOptions): TransportSendOptions =>
    options.relatedRequestId === undefined
      ? options
      : { ...options, relatedRequestId: received.originalIdOf(options.relatedRequestId) };

  const forward = async (method: Method, request: JSONRPCRequest, sendOptions: TransportSendOptions | undefined) => {
    const exchange = outgoing.open(request);
    const { id } = request;
    const { options, giveUp } = cancellable(sendOptions, exchange);
    try {
      const result = await requestOther(exchange, method, { runs, transport, negotiated }, options);
      if (!exchange.signal.aborted) deliver(answerOf(id, result));
    } catch (error) {
      if (exchange.signal.aborted) throw error;
      if (error instanceof Refusal) return deliver(errorOf(id, error));
      // The protocol reports the rejection of `send` to the caller, and removes the request when it is answered.
      setTimeout(() => deliver(errorOf(id, error)), 0);
      throw error;
    } finally {
      const cancelled = outgoing.close(exchange);
      if (cancelled && giveUp) giveUp();
      else if (cancelled) transport.send(cancelled, options).catch(failed);
    }
  };

  const receive: OnMessage = (message, extra) => {
    if (isRequest(message)) {
      const method = guardedMethod(stack, message.method, message.params);
      // The SDK refuses a request without a handler at once. Over HTTP the status of such a refusal is 404, but only
      // before `handle` returns.
      const isRefused = versionOf(message.params ?? {}) !== undefined && !handles(message.method);
      if (method !== undefined && !isRefused) return void answer(method, message, extra);
      received.passed(message);
      return handle(message, extra);
    }
    if (isResponse(message)) {
      const settled = outgoing.settle(message);
      if (settled === "free") {
        learn(message);
        handle(message, extra);
      }
      if (settled === "unasked") failed(new Error(unknownResponse(message)));
      return;
    }
    const notification = passing(message, received);
    if (notification !== undefined) handle(notification, extra);
  };

  const answer = async (method: Method, request: JSONRPCRequest, extra: Parameters<OnMessage>[1]): Promise<void> => {
    const exchange = received.open(request);
    const pass = (message: JSONRPCRequest): void => handle(message, extra);
    try {
      const response = await answerOther(exchange, method, { runs, transport, negotiated }, pass).then(
        (result) => answerOf(request.id, result),
        (error: unknown) => errorOf(request.id, error),
      );
      if (!exchange.signal.aborted) await transport.send(response);
    } catch (error) {
      failed(error);
    } finally {
      const cancelled = received.close(exchange);
      if (cancelled) deliver(cancelled);
    }
  };

  const failed = (error: unknown): void =>
    transport.onerror?.(error instanceof Error ? error : new Error("A message could not be sent."));

  /** Passes on a message without a waiting caller. Exceptions of the protocol, or of a wrapper, are reported. */
  const deliver = (message: JSONRPCMessage): void => {
    try {
      handle(message);
    } catch (error) {
      failed(error);
    }
  };

  const closed = (): void => {
    outgoing.cancelAll();
    received.cancelAll();
  };
  const side = protocolSide(transport, { send, receive, closed });
  const { handle } = side;
  runsByTransport.set(side.transport, runs);
  return side.transport;
}

/**
 * Connects the abort of a request with its exchange. If the transport cancels by this signal (version 2 over HTTP),
 * `giveUp` cancels the request that was passed on, in place of a message.
 */
function cancellable(sendOptions: TransportSendOptions | undefined, exchange: Exchange) {
  const { requestSignal } = sendOptions ?? {};
  if (requestSignal === undefined) return { options: sendOptions };
  const cancel = (): void => exchange.cancel("The request was cancelled.");
  if (requestSignal.aborted) cancel();
  requestSignal.addEventListener("abort", cancel, { once: true });
  const controller = new AbortController();
  const options = { ...sendOptions, requestSignal: AbortSignal.any([requestSignal, controller.signal]) };
  return { options, giveUp: () => controller.abort() };
}

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => "method" in message && "id" in message;
const isResponse = (message: JSONRPCMessage): message is JSONRPCResponse => !("method" in message);

/** Returns the SDK's error message for an unexpected response, without its content. The SDK's ids are numbers. */
const unknownResponse = ({ id }: JSONRPCResponse): string =>
  `Received a response for an unknown message ID${typeof id === "number" ? `: ${id}` : ""}. It was dropped.`;

/** Creates an answer with the SDK's order of fields, so that unchanged answers are sent as the same bytes. */
const answerOf = (id: RequestId, result: unknown) => ({ result, jsonrpc: "2.0", id }) as JSONRPCResultResponse;

/** The JSON-RPC code for an internal error. */
const INTERNAL_ERROR = -32603;

function errorOf(id: RequestId, error: unknown): JSONRPCErrorResponse {
  const { message, code, data }: Params = isRecord(error) ? error : {};
  return {
    jsonrpc: "2.0",
    id,
    error: {
      code: typeof code === "number" && Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
      message: typeof message === "string" ? message : "Internal error",
      ...(data !== undefined && { data }),
    },
  };
}
