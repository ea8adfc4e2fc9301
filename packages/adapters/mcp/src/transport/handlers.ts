import type { FrameworkRuns } from "@suite/core/framework";
import { callOf, resultOf } from "../calls.js";
import type { Method } from "../methods/method.js";
import type { JSONRPCRequest, Params } from "../protocol.js";
import { guardedQuestion } from "./guards.js";

/** The runs of the connections with layers, by the transport that the protocol has. */
export const runsByTransport = new WeakMap<object, FrameworkRuns>();

/** Answers that passed the layers when their handler returned them. */
export const passedAnswers = new WeakSet<object>();

interface HandlerContext {
  readonly sessionId?: string | undefined;
  readonly mcpReq: { readonly signal: AbortSignal };
}

type Handler = (request: JSONRPCRequest, context: HandlerContext) => Promise<unknown>;

/** A client of version 2: it finds the handlers here that answer the questions in a result. */
export interface AnsweringClient {
  readonly transport?: object | undefined;
  _getRequestHandler(method: string): Handler | undefined;
}

export const isAnsweringClient = (protocol: object): protocol is AnsweringClient =>
  "_getRequestHandler" in protocol && typeof protocol._getRequestHandler === "function";

const passing = new WeakSet<AnsweringClient>();

/**
 * Sends the questions in results through the layers. In the protocol of 2026-07-28 they are not messages: the client
 * calls its handlers itself, and repeats its request with their answers. Connections without plugins are not affected.
 */
export function passQuestions(client: AnsweringClient): void {
  if (passing.has(client)) return;
  passing.add(client);
  const find = client._getRequestHandler;
  const value = (name: string): Handler | undefined => {
    const handler = find.call(client, name);
    const runs = client.transport && runsByTransport.get(client.transport);
    const method = runs && guardedQuestion(runs.stack, name);
    if (handler === undefined || runs === undefined || method === undefined) return handler;
    return (request, context) => answer(method, request, context, runs, handler);
  };
  Object.defineProperty(client, "_getRequestHandler", { value, configurable: true, writable: true });
}

async function answer(
  method: Method,
  request: JSONRPCRequest,
  context: HandlerContext,
  runs: FrameworkRuns,
  handler: Handler,
): Promise<unknown> {
  const params: Params = request.params ?? {};
  const { sessionId } = context;
  let result: unknown;
  const outcome = await runs.enter(
    (inRun) =>
      callOf(method, params, runs.stack, inRun, async (invocation, changed) => {
        result = await handler({ ...request, params: changed }, context);
        invocation.respond({ value: method.final(result) });
      }),
    { signal: context.mcpReq.signal, ...(sessionId !== undefined && { sessionId }) },
  );
  const answered = await resultOf(method, request.method, result, outcome);
  if (typeof answered === "object" && answered !== null) passedAnswers.add(answered);
  return answered;
}
