import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { incomingKey } from "@suite/core";
import type { FrameworkRuns } from "@suite/core/framework";
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
 * A request of the other side, through the layers, in a run of its own.
 *
 * @returns the result to be sent; of a tool that failed, what tells so.
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
  // Whatever run the code that reads the transport happens to be in: it is of another request.
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
    // A model is to read it, as MCP has it; an error of the protocol stays one.
    if (exchange.request.method === "tools/call" && !(error instanceof Refusal)) return failedResult(error);
    throw error;
  } finally {
    // A handler that nobody waits for any more has its questions taken back.
    const givenUp = exchange.waits || exchange.signal.aborted;
    await (givenUp ? run.end() : endAnswered(run));
  }
}
