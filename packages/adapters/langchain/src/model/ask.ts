import type { BaseMessage } from "@langchain/core/messages";
import { isBaseMessage } from "@langchain/core/messages";
import { RunnableBinding } from "@langchain/core/runnables";
import type { CallId, Delta, Invocation, ModelRequest, Outcome, Reply } from "@suite/core";
import { askThrough, type PluginStack, type Run } from "@suite/core/adapter";
import type { Ask, ModelSettings } from "@suite/core/contract";
import { abortable, countUsage } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import { initChatModel } from "langchain";
import { LangChainAdapterError } from "../errors.js";
import { fromMessages } from "../messages/from-neutral.js";
import { langchainChoice } from "../tool/choice.js";
import { describeModel, nameOf } from "./describe.js";
import { chatModelOf, isChatModel } from "./guarded.js";
import { modelFor, originalModel, rebound } from "./original.js";
import { unheard } from "./plain.js";
import { replyOf } from "./reply.js";

/** A model that can be called: a chat model, or one with bound settings. */
interface CallableModel {
  invoke(messages: readonly BaseMessage[], config: object): unknown;
  bindTools?(tools: readonly object[], options: object): CallableModel;
  withStructuredOutput?(schema: object, options: object): CallableModel;
}

/**
 * Returns the function that plugins use to call the model of a run. Only the layers see such a call: its answer is not
 * in the agent's streams and not sent to its callbacks.
 *
 * @param model the model in a form that `createAgent` accepts.
 */
export function askOf(stack: PluginStack, run: Run, model: unknown, configurable?: object): Ask {
  return async (request, options) => {
    const initialized = typeof model === "string" ? await initChatModel(model) : model;
    const runnable = await modelFor(originalModel(initialized), { configurable });
    const { settings: _, ...described } = describeModel(chatModelOf(runnable));
    const call = (request: ModelRequest, parent: CallId): Promise<Outcome<Delta, Reply>> =>
      stack.call("model", run, request, (invocation) => answer(invocation, runnable, described.model), parent);
    return askThrough(described, call)(request, options);
  };
}

/** The innermost part of a plugin's model call. */
async function answer(invocation: Invocation<"model">, runnable: unknown, defaultModel: string): Promise<void> {
  const { runtime, signal } = invocation;
  const client = clientOf(invocation);
  const { request } = invocation;
  const target = withRequest(
    withSettings(client ?? runnable, request, client ? request.model : defaultModel) as CallableModel,
    request,
  );
  const messages = fromMessages(request.messages);
  const stop = request.settings?.stopSequences;
  const pending = unheard({ signal, ...(stop !== undefined && { stop: [...stop] }) }, async (config) =>
    target.invoke(messages, config),
  );
  const value = replyFrom(await abortable(pending, signal));
  countUsage(runtime, value.usage);
  invocation.respond({ value });
}

/** Returns the model with the tools, or the schema, of a request. */
function withRequest(model: CallableModel, { tools, toolChoice, outputSchema }: ModelRequest): CallableModel {
  if (outputSchema !== undefined) {
    if (model.withStructuredOutput === undefined) throw unsupported("an output schema");
    return model.withStructuredOutput(outputSchema as object, { includeRaw: true });
  }
  if (tools.length === 0) return model;
  if (model.bindTools === undefined) throw unsupported("tools");
  const described = tools.map(({ name, description = "", parameters = { type: "object", properties: {} } }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  return model.bindTools(described, toolChoice === undefined ? {} : { tool_choice: langchainChoice(toolChoice) });
}

/**
 * Returns the model of an attempt: the agent's, another of its class if a layer changed the name, or the `client` of a
 * layer. With a client, the request gets that client's name.
 *
 * @param defaultModel the name of the agent's model.
 */
export function modelOfAttempt<T>(runnable: T, invocation: Invocation<"model">, defaultModel: string): T {
  const client = clientOf(invocation);
  if (client !== undefined) return client as T;
  const { model } = invocation.request;
  return model === defaultModel ? runnable : (renamed(runnable, { model }) as T);
}

/** Returns the model that a layer set as `client`. The request gets its name. */
function clientOf(invocation: Invocation<"model">): object | undefined {
  const { client, provider: _provider, server: _server, ...request } = invocation.request;
  if (client === undefined) return undefined;
  const model = originalModel(client);
  const { settings: _, ...described } = describeModel(chatModelOf(model));
  invocation.request = { ...request, client, ...described };
  return model as object;
}

/**
 * Returns a model of the same class with another name or other settings, if the request has them. LangChain's models
 * store their constructor fields.
 */
function withSettings(model: unknown, request: ModelRequest, defaultModel: string): unknown {
  const { stopSequences: _, ...settings } = request.settings ?? {};
  if (request.model === defaultModel && Object.values(settings).every((value) => value === undefined)) return model;
  return renamed(model, { ...settings, model: request.model });
}

function renamed(model: unknown, fields: ModelSettings & { readonly model: string }): unknown {
  if (RunnableBinding.isRunnableBinding(model)) return rebound(model, renamed(model.bound, fields));
  const copy = isChatModel(model) ? remade(model, fields) : undefined;
  if (copy === undefined || nameOf(copy) !== fields.model) throw unsupported("another model, or other settings");
  return copy;
}

function remade(model: object, fields: ModelSettings): object | undefined {
  const { constructor: ModelClass, lc_kwargs: kwargs } = model as {
    readonly constructor: new (fields: object) => object;
    readonly lc_kwargs?: unknown;
  };
  return isRecord(kwargs) ? new ModelClass({ ...kwargs, modelName: fields.model, ...fields }) : undefined;
}

/**
 * Converts the result of a model to a reply. A structured answer becomes its JSON, even if the model returned it as a
 * call.
 */
function replyFrom(output: unknown): Reply {
  if (isBaseMessage(output)) return replyOf(output);
  const { raw, parsed } = (isRecord(output) ? output : {}) as { readonly raw?: unknown; readonly parsed?: unknown };
  if (!isBaseMessage(raw)) return replyOfValue(output);
  const reply = replyOf(raw);
  return raw.text === "" && parsed != null ? { ...reply, message: replyOfValue(parsed).message } : reply;
}

const replyOfValue = (value: unknown): Reply => ({
  message: { role: "assistant", parts: [{ type: "text", content: JSON.stringify(value) ?? "" }] },
});

const unsupported = (what: string): LangChainAdapterError =>
  new LangChainAdapterError(
    "ERR_LANGCHAIN_UNSUPPORTED",
    `The agent's model does not support ${what}, which a plugin requested. Use a LangChain chat model that does.`,
  );
