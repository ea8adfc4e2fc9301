import {
  callbackHandlerPrefersChatModelStreamEvents,
  callbackHandlerPrefersStreaming,
} from "@langchain/core/callbacks/base";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { SystemMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { ClientTool } from "@langchain/core/tools";
import type { Message, ModelRequest, Redactor } from "@suite/core";
import type { ReasoningRequest } from "@suite/core/contract";
import type { AgentMiddleware } from "langchain";
import { fromMessages } from "../messages/from-neutral.js";
import { toMessage } from "../messages/to-neutral.js";
import { choiceOf, langchainChoice } from "../tool/choice.js";
import { nameOfTool, neutralTool } from "../tool/neutral.js";
import { besideOf, describeModel } from "./describe.js";
import { chatModelOf, isChatModel } from "./guarded.js";
import { outputSchemaOf } from "./output-schema.js";
import type { PlainModel } from "./plain.js";

type WrapModelCall = NonNullable<AgentMiddleware["wrapModelCall"]>;
/** The request of a round in LangChain. */
export type WrapModelRequest = Parameters<WrapModelCall>[0];
export type Handler = Parameters<WrapModelCall>[1];
export type HandlerRequest = Parameters<Handler>[0];

/** Converts LangChain's request to the neutral requests, and the changes of layers back to LangChain. */
export class RoundRequest {
  readonly #chat: BaseChatModel | PlainModel;
  readonly #tools: WrapModelRequest["tools"];

  /**
   * @param runnable the model, or a binding of it.
   * @param offered the tools that plugins add.
   */
  constructor(
    readonly original: WrapModelRequest,
    readonly runnable: WrapModelRequest["model"],
    offered: readonly ClientTool[],
  ) {
    this.#tools = [...original.tools, ...offered];
    this.#chat = chatModelOf(runnable);
  }

  get systemPrompt(): string {
    return this.original.systemMessage.text;
  }

  /** The request of the round before any layer. */
  get reasoning(): ReasoningRequest {
    const { messages, toolChoice } = this.original;
    const outputSchema = outputSchemaOf(this.original.responseFormat, this.#chat);
    return {
      messages: messages.map(toMessage),
      tools: this.#tools.map(neutralTool),
      ...(toolChoice !== undefined && { toolChoice: choiceOf(toolChoice) }),
      ...(outputSchema !== undefined && { outputSchema }),
    };
  }

  /** Returns the request for the model. */
  model(request: ReasoningRequest, systemPrompt: string): ModelRequest {
    const { systemMessage, modelSettings } = this.original;
    const system = systemPrompt === systemMessage.text ? systemMessage : new SystemMessage(systemPrompt);
    return {
      ...describeModel(this.#chat, modelSettings),
      ...request,
      messages: systemPrompt === "" ? request.messages : [toMessage(system), ...request.messages],
      stream: streams(this.#chat),
      ...besideOf(this.#chat),
    };
  }

  /** Returns the changes of layers in LangChain's form. */
  changes(request: ModelRequest, redactor?: Redactor): Partial<HandlerRequest> {
    const { original } = this;
    const before = { messages: original.messages.map(toMessage), redactor };
    const [first, ...rest] = request.messages;
    const system = first?.role === "system" ? first : undefined;
    const toolNames = new Set(request.tools.map(({ name }) => name));
    return {
      messages: fromMessages(system === undefined ? request.messages : rest, before),
      systemMessage: systemMessageOf(system, original.systemMessage, redactor),
      tools: this.#tools.filter((tool) => toolNames.has(nameOfTool(tool))),
      ...(request.toolChoice !== undefined && { toolChoice: langchainChoice(request.toolChoice) }),
    };
  }
}

function systemMessageOf(message: Message | undefined, previous: SystemMessage, redactor?: Redactor): SystemMessage {
  if (message === undefined) return previous.text === "" ? previous : new SystemMessage("");
  const [original] = fromMessages([message], { messages: [toMessage(previous)], redactor });
  return SystemMessage.isInstance(original) ? original : previous;
}

/** True if LangChain is going to stream the answer, which it does if a callback handler requires it. */
function streams(model: BaseChatModel | PlainModel): boolean {
  if (!isChatModel(model)) return false;
  if (model.disableStreaming) return false;
  if ("streaming" in model && model.streaming === true) return true;
  const callbacks: unknown = AsyncLocalStorageProviderSingleton.getRunnableConfig()?.callbacks;
  const handlers = callbacks instanceof CallbackManager ? callbacks.handlers : [];
  return handlers.some(
    (handler) => callbackHandlerPrefersStreaming(handler) || callbackHandlerPrefersChatModelStreamEvents(handler),
  );
}
