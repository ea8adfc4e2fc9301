import type { Answer, Ask, Chunk, Invocation, Kind } from "@suite/core";
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
import { askThrough } from "@suite/core/adapter";
import { abortable, settlementOf } from "@suite/core/framework";
import { AgentError } from "../errors.js";
import { deltasOnly, replyOf, streamOf } from "../models/answer.js";
import type { Model, ModelCallOptions } from "../models/model.js";
import { ledgerOf } from "../totals/ledger.js";
import { ModelCallCount } from "../totals/model-call.js";
import type { LoopContext } from "./context.js";

/** The part of a run that one model call needs. */
type ModelContext = Pick<LoopContext, "model" | "run" | "stack">;

interface AskOptions {
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
  options: AskOptions = {},
): Promise<Outcome<Chunk<"model">, Final<"model">>> {
  const { model } = context;
  const messages: readonly Message[] = prompt === "" ? asked.messages : [message("system", prompt), ...asked.messages];
  // Not by a spread that others follow: in Node 20 each such literal makes hidden classes of its own.
  const own = { messages, model: model.name, stream: context.streaming, ...whereOf(model) };
  const request: ModelRequest = Object.assign({}, asked, own);
  return callModel(context, request, parent, options);
}

/** The function by which plugins ask the agent's model. */
export const askFor = (context: ModelContext): Ask =>
  askThrough({ model: context.model.name, ...whereOf(context.model) }, (request, parent) =>
    callModel(context, request, parent),
  );

const whereOf = ({ provider, server }: Model): Pick<ModelRequest, "provider" | "server"> => ({
  ...(provider !== undefined && { provider }),
  ...(server !== undefined && { server }),
});

/**
 * The client that this call asks: the agent's own, or the one that a layer named, whose name the request then has.
 *
 * @throws AgentError `ERR_AGENT_MODEL_REQUEST`
 */
function clientFor(invocation: Invocation<"model">, own: Model): Model {
  const { client, ...request } = invocation.request;
  if (client === undefined || client === own) return own;
  if (!isModel(client)) {
    throw new AgentError("ERR_AGENT_MODEL_REQUEST", "The client of a model request must be a Model, as from openai().");
  }
  const { provider: _provider, server: _server, ...rest } = request;
  const model = request.model === own.name ? client.name : request.model;
  invocation.request = { ...rest, client, model, ...whereOf(client) };
  return client;
}

const isModel = (client: unknown): client is Model =>
  typeof client === "object" &&
  client !== null &&
  "generate" in client &&
  typeof client.generate === "function" &&
  "stream" in client &&
  typeof client.stream === "function";

/** The invocation that a client's options are of. */
const called: unique symbol = Symbol("invocation");

/** The `signal` of a client's options, made only where it is asked for. */
const lazySignal: PropertyDescriptor = {
  enumerable: true,
  get(this: { readonly [called]: Invocation<"model"> }): AbortSignal {
    return this[called].signal;
  },
};

/** The options of a client for one call. The getter is shared: one of its own, in a literal, would cost a hidden class a call. */
function optionsOf(invocation: Invocation<"model">): ModelCallOptions {
  const { call, runtime } = invocation;
  const options = { carrierFor: (url: string) => propagate(call, runtime, { kind: "http", url }) };
  Object.defineProperty(options, called, { value: invocation });
  return Object.defineProperty(options, "signal", lazySignal) as ModelCallOptions;
}

async function callModel(
  { model, run, stack }: ModelContext,
  request: ModelRequest,
  parent: CallId,
  { reached, own }: AskOptions = {},
): Promise<Outcome<Chunk<"model">, Final<"model">>> {
  const count = new ModelCallCount(ledgerOf(run));
  const outcome = await stack.call(
    "model",
    run,
    request,
    async (invocation) => {
      const options = optionsOf(invocation);
      const client = clientFor(invocation, model);
      count.asked(invocation.request);
      reached?.(invocation.request);
      if (request.stream === true) {
        invocation.respond({ stream: streamOf(client.stream(invocation.request, options), client.name) });
        invocation.pipe(deltasOnly(client.name));
        invocation.pipe(count.stage());
      } else {
        const asking = Promise.resolve(client.generate(invocation.request, options));
        const reply = replyOf(await abortable(asking, run.signal), client.name);
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
