import type { InRun } from "@suite/core/framework";
import { propagate } from "@suite/core/propagation";
import { isRecord } from "@suite/kit";
import { callOf, resultOf } from "../calls.js";
import type { Method } from "../methods/method.js";
import { ToolFailure } from "../methods/tool-calls.js";
import { metaOf, type Params, type TransportSendOptions, versionOf } from "../protocol.js";
import { complete, isInputRequired } from "../revision.js";
import { type Connection, carriedBy } from "./carried.js";
import type { Exchange } from "./exchange.js";
import { passedAnswers } from "./handlers.js";
import { mirrored } from "./headers.js";
import { answerInputs, repeatWhileAnswered, respond, roundsOf } from "./inputs.js";
import { noteQuestion } from "./questions.js";
import { targetOf } from "./target.js";

/**
 * Sends a request of this side through the layers, in the run of the calling code or in a new run.
 *
 * @returns the result for the caller.
 */
export function requestOther(
  exchange: Exchange,
  method: Method,
  connection: Connection,
  options?: TransportSendOptions,
): Promise<unknown> {
  const within = connection.runs.current;
  const answer = sendRequest(exchange, method, connection, options, within);
  if (within !== undefined) noteQuestion(within.run, answer);
  return answer;
}

async function sendRequest(
  exchange: Exchange,
  method: Method,
  { runs, transport, negotiated }: Connection,
  options: TransportSendOptions | undefined,
  within: InRun | undefined,
): Promise<unknown> {
  const { stack } = runs;
  const { method: name, params = {} } = exchange.request;
  const { sessionId } = transport;
  const modern = versionOf(params) !== undefined;
  const send = (sent: Params): Promise<unknown> => {
    const headers = mirrored(options, params, sent);
    return exchange.ask(sent, (message) => transport.send(message, headers));
  };
  let result: unknown;
  try {
    const outcome = await runs.enter(
      (inRun) =>
        callOf(
          method,
          params,
          stack,
          inRun,
          async (invocation, changed) => {
            const { call, runtime } = invocation;
            const rounds = roundsOf(stack, inRun, invocation);
            const carrier = propagate(call, runtime, targetOf(transport));
            const traced = carrier === undefined ? changed : { ...changed, _meta: { ...carrier, ...metaOf(changed) } };
            result = await send(modern ? await answerInputs(traced, rounds, passedAnswers) : traced);
            // The questions of a tool pass the layers in the client's handlers. A task has no handlers.
            if (modern && !isInputRequired(result) && isRecord(result) && isRecord(result.inputRequests))
              result = await repeatWhileAnswered(params, rounds, async () => result);
            respond(invocation, method, result, rounds);
          },
          carriedBy("client", exchange.request, { transport, negotiated }),
        ),
      { signal: exchange.signal, ...(sessionId !== undefined && { sessionId }) },
      within,
    );
    return complete(exchange.request, await resultOf(method, name, result, outcome), result);
  } catch (error) {
    if (error instanceof ToolFailure) return error.result;
    throw error;
  }
}
