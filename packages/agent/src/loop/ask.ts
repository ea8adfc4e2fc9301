import {
  type CallId,
  type Delta,
  type Final,
  type Invocation,
  type Kind,
  type Message,
  type ModelRequest,
  message,
  type Outcome,
  type Reply,
  type Settlement,
  type Stage,
  type Usage,
} from "@suite/core";
import { type Answer, askThrough } from "@suite/core/adapter";
import type { Ask, Chunk, ReasoningRequest } from "@suite/core/contract";
import { abortable, settlementOf } from "@suite/core/framework";
import { propagate } from "@suite/core/propagation";
import { AgentError } from "../errors.js";
import type { Model, ModelCallOptions } from "../models/model.js";
import { type Ledger, ledgerOf } from "../totals/ledger.js";
import type { LoopContext } from "./context.js";
import { isMessage, isPart } from "./history.js";
import { type SignedReply, signedOf, signedStage, withSigned } from "./signed.js";

/** The part of a run that one model call needs. */
type ModelContext = Pick<LoopContext, "model" | "run" | "stack">;

interface CallCallbacks {
  /** Receives the request that is sent to the model. */
  readonly reached?: (request: ModelRequest) => void;
  /** Receives the model's reply before any layer changes it. */
  readonly own?: ((reply: Reply) => void) | undefined;
  /** Receives the parts that the provider signed, before any layer changes them. */
  readonly onSigned?: (reply: SignedReply) => void;
}

/** Makes one model call through the `model` layers. */
export async function callThroughLayers(
  context: LoopContext,
  round: ReasoningRequest,
  prompt: string,
  parent: CallId,
  options: CallCallbacks = {},
): Promise<Outcome<Chunk<"model">, Final<"model">>> {
  const { model } = context;
  const messages: readonly Message[] = prompt === "" ? round.messages : [message("system", prompt), ...round.messages];
  // Not a spread followed by more fields: in Node 20 each such literal creates new hidden classes.
  const fields = { messages, model: model.name, stream: context.streaming, ...providerFieldsOf(model) };
  const request: ModelRequest = Object.assign({}, round, fields);
  return callModel(context, request, parent, options);
}

/** Returns the function that plugins use to call the agent's model. */
export const askFor = (context: ModelContext): Ask =>
  askThrough({ model: context.model.name, ...providerFieldsOf(context.model) }, (request, parent) =>
    callModel(context, request, parent),
  );

const providerFieldsOf = ({ provider, server }: Model): Pick<ModelRequest, "provider" | "server"> => ({
  ...(provider !== undefined && { provider }),
  ...(server !== undefined && { server }),
});

/**
 * Returns the client of this call: the agent's, or the one that a layer set. In the second case the request gets that
 * client's name.
 *
 * @throws AgentError `ERR_AGENT_MODEL_REQUEST`
 */
function clientFor(invocation: Invocation<"model">, defaultModel: Model): Model {
  const { client, ...request } = invocation.request;
  if (client === undefined || client === defaultModel) return defaultModel;
  if (!isModel(client)) {
    throw new AgentError("ERR_AGENT_MODEL_REQUEST", "The client of a model request must be a Model, as from openai().");
  }
  const { provider: _provider, server: _server, ...rest } = request;
  const model = request.model === defaultModel.name ? client.name : request.model;
  invocation.request = { ...rest, client, model, ...providerFieldsOf(client) };
  return client;
}

const isModel = (client: unknown): client is Model =>
  typeof client === "object" &&
  client !== null &&
  "generate" in client &&
  typeof client.generate === "function" &&
  "stream" in client &&
  typeof client.stream === "function";

/** The key of the invocation in a client's options. */
const called: unique symbol = Symbol("invocation");

/** The `signal` of a client's options. It is created only if it is read. */
const lazySignal: PropertyDescriptor = {
  enumerable: true,
  get(this: { readonly [called]: Invocation<"model"> }): AbortSignal {
    return this[called].signal;
  },
};

/**
 * Returns the client options for one call. The getter is shared, because a getter in a literal would create a hidden
 * class per call.
 */
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
  { reached: onRequest, own: onReply, onSigned }: CallCallbacks = {},
): Promise<Outcome<Chunk<"model">, Final<"model">>> {
  const count = new ModelCallCount(ledgerOf(run));
  const outcome = await stack.call(
    "model",
    run,
    request,
    async (invocation) => {
      const options = optionsOf(invocation);
      const client = clientFor(invocation, model);
      count.requested(invocation.request);
      onRequest?.(invocation.request);
      const { signer } = client;
      const sent = withSigned(run, invocation.request, signer);
      if (request.stream === true) {
        invocation.respond({ stream: streamOf(client.stream(sent, options), client.name) });
        invocation.pipe(deltasOnly(client.name));
        invocation.pipe(count.stage());
        if (signer !== undefined && onSigned !== undefined) invocation.pipe(signedStage(signer, onSigned));
      } else {
        const pending = Promise.resolve(client.generate(sent, options));
        const reply = replyOf(await abortable(pending, run.signal), client.name);
        count.used(reply.usage);
        const signed = signer === undefined ? undefined : signedOf(reply, signer);
        if (signed !== undefined) onSigned?.(signed);
        invocation.respond({ value: reply });
      }
      if (onReply !== undefined) {
        invocation.pipe({
          settle: (settlement) => void (settlement.status === "completed" && onReply(settlement.final)),
        });
      }
    },
    parent,
  );
  void outcome.settled.then((settlement) => count.ended(settlement));
  return outcome;
}

/** Passes the outcome of an inner call on as the answer of an outer call: as a stream, or as the plain value. */
export async function passedOn<K extends Kind>(outcome: Outcome<Chunk<K>, Final<K>>): Promise<Answer<K>> {
  if (outcome.streaming) return { stream: outcome };
  const settlement = await settlementOf(outcome);
  if (settlement.status === "suspended") return { suspended: settlement.pending };
  return { value: await outcome.final() };
}

/** Counts the usage of one model call per attempt, because layers may retry or answer themselves. */
class ModelCallCount {
  readonly #ledger: Ledger;
  /** The request of the last attempt. */
  #request: ModelRequest | undefined;
  #counted = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Counts a request that is sent to a model. */
  requested(request: ModelRequest): void {
    this.#request = request;
    this.#ledger.recordRequest(request);
  }

  used(usage: Usage | undefined): void {
    if (usage === undefined || this.#request === undefined) return;
    this.#counted = true;
    this.#ledger.add(usage, this.#request);
  }

  /** Creates the innermost stage of a streamed attempt. It sees the usage before a layer can change it. */
  stage(): Stage<Delta, Reply> {
    let last: Usage | undefined;
    return {
      chunk(delta, emit) {
        if (delta.type === "finish") last = delta.usage ?? last;
        emit(delta);
      },
      flush: () => this.used(last),
    };
  }

  /**
   * Adds the usage in the final answer if no attempt reported any. A layer that calls a fallback model itself reports
   * usage this way.
   */
  ended(settlement: Settlement<Reply>): void {
    if (this.#request === undefined || this.#counted || settlement.status !== "completed") return;
    const { usage, response } = settlement.final;
    if (usage !== undefined)
      this.#ledger.add(usage, response?.model === undefined ? this.#request : { model: response.model });
  }
}

/**
 * Returns the reply if it is valid. A custom client may return anything, and a check here can name the model and the
 * fault.
 *
 * @throws AgentError `ERR_AGENT_MODEL_ANSWER`
 */
function replyOf(reply: Reply, model: string): Reply {
  if (isMessage((reply as Partial<Reply> | undefined | null)?.message)) return reply;
  throw noAnswer(model, "generate() did not return { message: { role, parts } }");
}

/** @throws AgentError `ERR_AGENT_MODEL_ANSWER` */
function streamOf(stream: AsyncIterable<Delta, void>, model: string): AsyncIterable<Delta, void> {
  if (typeof stream === "object" && stream !== null && Symbol.asyncIterator in stream) return stream;
  throw noAnswer(model, "stream() did not return a value that can be iterated with `for await`");
}

/** Creates the stage that passes deltas and throws for anything else. */
const deltasOnly = (model: string): Stage<Delta, unknown> => ({
  chunk(delta, emit) {
    if (!isDelta(delta)) throw noAnswer(model, "stream() yielded a value that is not a delta");
    emit(delta);
  },
});

function isDelta(value: unknown): boolean {
  const delta = value as Partial<Record<string, unknown>> | undefined | null;
  switch (delta?.type) {
    case "part":
      return typeof delta.at === "string" && isPart(delta.part);
    case "arguments":
      return typeof delta.at === "string" && typeof delta.json === "string";
    case "part_end":
      return typeof delta.at === "string";
    default:
      return delta?.type === "finish" || delta?.type === "event";
  }
}

const noAnswer = (model: string, what: string): AgentError =>
  new AgentError(
    "ERR_AGENT_MODEL_ANSWER",
    `The client of model ${model} broke its contract: ${what}. See the type \`Model\`.`,
  );
