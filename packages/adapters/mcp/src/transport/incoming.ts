import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { FrameworkRuns } from "@suite/core/framework";
import { incomingKey } from "@suite/core/propagation";
import { callOf, resultOf } from "../calls.js";
import type { Method } from "../methods/method.js";
import { failedResult } from "../methods/tool-calls.js";
import { metaOf, type Params } from "../protocol.js";
import { carriedBy } from "./carried.js";
import { type Exchange, Refusal } from "./exchange.js";
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
  runs: FrameworkRuns,
  transport: Transport,
  handle: (request: JSONRPCRequest) => void,
): Promise<unknown> {
  const params: Params = exchange.request.params ?? {};
  const { sessionId } = transport;
  // No parent: the code that reads the transport may be in the run of another request.
  const run = runs.begin({ parent: undefined, signal: exchange.signal, ...(sessionId !== undefined && { sessionId }) });
  const carried = carriedBy("server", exchange.request, transport);
  let result: unknown;
  try {
    run.set(incomingKey, { carrier: metaOf(params), trusted: isTrusted(transport) || isLocal(transport) });
    const outcome = await callOf(method, params, runs.stack, { run }, carried, async (invocation, asked) => {
      result = await exchange.ask(asked, handle);
      invocation.respond({ value: method.final(result) });
    });
    return await resultOf(method, exchange.request.method, result, outcome);
  } catch (error) {
    // MCP reports tool errors in the result, so that a model can read them. Protocol errors remain errors.
    if (exchange.request.method === "tools/call" && !(error instanceof Refusal)) return failedResult(error);
    throw error;
  } finally {
    // If the caller no longer waits for a handler, its open questions are cancelled.
    const givenUp = exchange.waits || exchange.signal.aborted;
    await (givenUp ? run.end() : endAnswered(run));
  }
}
