import { incomingKey } from "@suite/core/propagation";
import { callOf, resultOf } from "../calls.js";
import type { Method } from "../methods/method.js";
import { failedResult } from "../methods/tool-calls.js";
import { type JSONRPCRequest, metaOf, type Params, versionOf } from "../protocol.js";
import { complete } from "../revision.js";
import { type Connection, carriedBy } from "./carried.js";
import { type Exchange, Refusal } from "./exchange.js";
import { answerInputs, repeatWhileAnswered, respond, roundsOf } from "./inputs.js";
import { endAnswered } from "./questions.js";
import { isLocal } from "./target.js";
import { isTrusted } from "./trusted.js";

/**
 * Sends a request of the other side through the layers, in a new run.
 *
 * @returns the result to send. If a tool failed, a result that reports it.
 */
export async function answerOther(
  exchange: Exchange,
  method: Method,
  { runs, transport, negotiated }: Connection,
  handle: (request: JSONRPCRequest) => void,
): Promise<unknown> {
  const { stack } = runs;
  const { method: name, params = {} } = exchange.request;
  const { sessionId } = transport;
  const modern = versionOf(params) !== undefined;
  // No parent: the code that reads the transport may be in the run of another request.
  const run = runs.begin({ parent: undefined, signal: exchange.signal, ...(sessionId !== undefined && { sessionId }) });
  const carried = carriedBy("server", exchange.request, { transport, negotiated });
  let result: unknown;
  try {
    run.set(incomingKey, { carrier: metaOf(params), trusted: isTrusted(transport) || isLocal(transport) });
    const handleRequest = (changed: Params): Promise<unknown> => exchange.ask(changed, handle);
    const outcome = await callOf(
      method,
      params,
      stack,
      { run },
      async (invocation, changed) => {
        const rounds = roundsOf(stack, { run }, invocation);
        result = modern
          ? await repeatWhileAnswered(await answerInputs(changed, rounds), rounds, handleRequest)
          : await handleRequest(changed);
        respond(invocation, method, result, rounds);
      },
      carried,
    );
    return complete(exchange.request, await resultOf(method, name, result, outcome), result);
  } catch (error) {
    // MCP reports tool errors in the result, so that a model can read them. Protocol errors remain errors.
    if (name === "tools/call" && !(error instanceof Refusal)) return complete(exchange.request, failedResult(error));
    throw error;
  } finally {
    // If the caller no longer waits for a handler, its open questions are cancelled.
    const abandoned = exchange.waits || exchange.signal.aborted;
    await (abandoned ? run.end() : endAnswered(run));
  }
}
