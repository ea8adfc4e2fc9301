import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import type { FrameworkRuns } from "@suite/core/framework";
import { methodOf } from "../methods/index.js";
import type { Method } from "../methods/method.js";
import { isRecord, type Params } from "../protocol.js";
import { Refusal } from "./exchange.js";
import { Exchanges } from "./exchanges.js";
import { answerOther } from "./incoming.js";
import { redacted } from "./notifications.js";
import { askOther } from "./outgoing.js";
import { isProtocolSide, protocolSide } from "./protocol-side.js";

type OnMessage = NonNullable<Transport["onmessage"]>;
type Send = Transport["send"];

/**
 * Returns a transport for the SDK's protocol whose requests and answers pass the layers. Its other members are those of
 * the original transport. If no plugin looks at messages, or if it is guarded already, the transport is returned
 * unchanged.
 */
export function guardedTransport(transport: Transport, runs: FrameworkRuns): Transport {
  if (isProtocolSide(transport)) return transport;
  const { plugins, has } = runs.stack;
  const guards = { ...has, model: has.model || plugins.some(({ systemPrompt }) => systemPrompt !== undefined) };
  const looks =
    guards.tool || guards.model || guards.humanInput || plugins.some(({ redactor }) => redactor !== undefined);
  if (!looks) return transport;
  const asked = new Exchanges();
  const received = new Exchanges();

  const guardedMethod = ({ method: name }: JSONRPCRequest): Method | undefined => {
    const method = methodOf(name);
    return method !== undefined && guards[method.kind] ? method : undefined;
  };

  /** Returns a notification to pass on, or `undefined` if its request was not passed on. */
  const passing = (message: JSONRPCNotification, exchanges: Exchanges): JSONRPCMessage | undefined => {
    const said = redacted(message, plugins);
    return message.method === "notifications/cancelled" ? exchanges.cancel(said) : said;
  };

  const send: Send = async (message, given) => {
    const options = given && relatedTo(given);
    if (isRequest(message)) {
      const method = guardedMethod(message);
      if (method !== undefined) return ask(method, message, options);
      asked.passed(message);
      return transport.send(message, options);
    }
    if (isResponse(message)) return received.settle(message) === "free" ? transport.send(message, options) : undefined;
    const notification = passing(message, asked);
    if (notification !== undefined) await transport.send(notification, options);
  };

  /**
   * Maps the id of a retried request to the original id, so that messages of its handler belong to the original
   * request.
   */
  const relatedTo = (options: TransportSendOptions): TransportSendOptions =>
    options.relatedRequestId === undefined
      ? options
      : { ...options, relatedRequestId: received.cameWith(options.relatedRequestId) };

  const ask = async (method: Method, request: JSONRPCRequest, options: TransportSendOptions | undefined) => {
    const exchange = asked.open(request);
    const { id } = request;
    try {
      const result = await askOther(exchange, method, runs, transport, options);
      if (!exchange.signal.aborted) deliver(answerOf(id, result));
    } catch (error) {
      if (exchange.signal.aborted) throw error;
      if (error instanceof Refusal) return deliver(errorOf(id, error));
      // The protocol reports the rejection of `send` to the caller, and removes the request when it is answered.
      setTimeout(() => deliver(errorOf(id, error)), 0);
      throw error;
    } finally {
      const cancelled = asked.close(exchange);
      if (cancelled) transport.send(cancelled, options).catch(failed);
    }
  };

  const receive: OnMessage = (message, extra) => {
    if (isRequest(message)) {
      const method = guardedMethod(message);
      if (method !== undefined) return void answer(method, message, extra);
      received.passed(message);
      return handle(message, extra);
    }
    if (isResponse(message)) {
      const settled = asked.settle(message);
      if (settled === "free") handle(message, extra);
      else if (settled === "unasked") failed(new Error("A response was dropped: no request is waiting for it."));
      return;
    }
    const notification = passing(message, received);
    if (notification !== undefined) handle(notification, extra);
  };

  const answer = async (method: Method, request: JSONRPCRequest, extra: Parameters<OnMessage>[1]): Promise<void> => {
    const exchange = received.open(request);
    const pass = (message: JSONRPCRequest): void => handle(message, extra);
    try {
      const response = await answerOther(exchange, method, runs, transport, pass).then(
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
    asked.cancelAll();
    received.cancelAll();
  };
  const side = protocolSide(transport, { send, receive, closed });
  const { handle } = side;
  return side.transport;
}

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => "method" in message && "id" in message;
const isResponse = (message: JSONRPCMessage): message is JSONRPCResponse => !("method" in message);

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
