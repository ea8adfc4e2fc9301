import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { FrameworkRuns, InRun } from "@suite/core/framework";
import { propagate } from "@suite/core/propagation";
import { callOf, resultOf } from "../calls.js";
import type { Method } from "../methods/method.js";
import { ToolFailure } from "../methods/tool-calls.js";
import { metaOf, type Params } from "../protocol.js";
import { carriedBy } from "./carried.js";
import type { Exchange } from "./exchange.js";
import { noteQuestion } from "./questions.js";
import { targetOf } from "./target.js";

/**
 * Sends a request of this side through the layers, in the run of the calling code or in a new run.
 *
 * @returns the result for the caller.
 */
export function askOther(
  exchange: Exchange,
  method: Method,
  runs: FrameworkRuns,
  transport: Transport,
  options: TransportSendOptions | undefined,
): Promise<unknown> {
  const within = runs.current;
  const answer = ask(exchange, method, runs, transport, options, within);
  if (within !== undefined) noteQuestion(within.run, answer);
  return answer;
}

async function ask(
  exchange: Exchange,
  method: Method,
  runs: FrameworkRuns,
  transport: Transport,
  options: TransportSendOptions | undefined,
  within: InRun | undefined,
): Promise<unknown> {
  const params: Params = exchange.request.params ?? {};
  const { sessionId } = transport;
  let result: unknown;
  try {
    const outcome = await runs.enter(
      (inRun) =>
        callOf(
          method,
          params,
          runs.stack,
          inRun,
          carriedBy("client", exchange.request, transport),
          async (invocation, asked) => {
            const { call, runtime } = invocation;
            const carrier = propagate(call, runtime, targetOf(transport));
            const sent = carrier === undefined ? asked : { ...asked, _meta: { ...carrier, ...metaOf(asked) } };
            result = await exchange.ask(sent, (message) => transport.send(message, options));
            invocation.respond({ value: method.final(result) });
          },
        ),
      { signal: exchange.signal, ...(sessionId !== undefined && { sessionId }) },
      within,
    );
    return await resultOf(method, exchange.request.method, result, outcome);
  } catch (error) {
    if (error instanceof ToolFailure) return error.result;
    throw error;
  }
}
