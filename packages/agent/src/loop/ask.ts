import type { Answer, Chunk, Kind } from "@suite/core";
import {
  type CallId,
  type Final,
  type Message,
  type ModelRequest,
  message,
  type Outcome,
  propagate,
  type ReasoningRequest,
  type Reply,
} from "@suite/core";
import { abortable, settlementOf } from "@suite/core/framework";
import { deltasOnly, replyOf, streamOf } from "../models/answer.js";
import type { ModelCallOptions } from "../models/model.js";
import { ledgerOf } from "../totals/ledger.js";
import { ModelCallCount } from "../totals/model-call.js";
import type { LoopContext } from "./context.js";

interface AskOptions {
  readonly streaming?: boolean;
  /** Is given the request as the model is. */
  readonly reached?: (request: ModelRequest) => void;
  /** Is told what the model itself said, before any layer changes it. */
  readonly own?: ((reply: Reply) => void) | undefined;
}

/** One model call through the `model` layers. */
export async function askModel(
  context: LoopContext,
  asked: ReasoningRequest,
  prompt: string,
  parent: CallId,
  { streaming = context.streaming, reached, own }: AskOptions = {},
): Promise<Outcome<Chunk<"model">, Final<"model">>> {
  const { model, run, stack } = context;
  const messages: readonly Message[] = prompt === "" ? asked.messages : [message("system", prompt), ...asked.messages];
  const request: ModelRequest = {
    ...asked,
    messages,
    model: model.name,
    stream: streaming,
    ...(model.provider !== undefined && { provider: model.provider }),
    ...(model.server !== undefined && { server: model.server }),
  };
  const count = new ModelCallCount(ledgerOf(run));
  const outcome = await stack.call(
    "model",
    run,
    request,
    async (invocation) => {
      const carrierFor = (url: string) => propagate(invocation.call, run, { kind: "http", url });
      const options: ModelCallOptions = {
        // Made only for a client that asks for it.
        get signal() {
          return invocation.signal;
        },
        carrierFor,
      };
      count.asked();
      reached?.(invocation.request);
      if (streaming) {
        invocation.respond({ stream: streamOf(model.stream(invocation.request, options), model.name) });
        invocation.pipe(deltasOnly(model.name));
        invocation.pipe(count.stage());
      } else {
        const asking = Promise.resolve(model.generate(invocation.request, options));
        const reply = replyOf(await abortable(asking, run.signal), model.name);
        count.used(reply.usage);
        invocation.respond({ value: reply });
      }
      if (own !== undefined) {
        invocation.pipe({ settle: (settlement) => void (settlement.status === "completed" && own(settlement.final)) });
      }
    },
    parent,
  );
  void outcome.settled.then((settlement) => count.ended(settlement));
  return outcome;
}

/** An inner call's outcome as an outer call's answer: streamed on, or the plain value itself. */
export async function passedOn<K extends Kind>(outcome: Outcome<Chunk<K>, Final<K>>): Promise<Answer<K>> {
  if (outcome.streaming) return { stream: outcome };
  const settlement = await settlementOf(outcome);
  if (settlement.status === "suspended") return { suspended: settlement.pending };
  return { value: await outcome.final() };
}
