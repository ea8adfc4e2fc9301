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
import { choiceOf, givenChoice } from "../tool/choice.js";
import { nameOfTool, neutralTool } from "../tool/neutral.js";
import { besideOf, describeModel } from "./describe.js";
import { chatModelOf, isChatModel } from "./guarded.js";
import { outputSchemaOf } from "./output-schema.js";
import type { PlainModel } from "./plain.js";

type WrapModelCall = NonNullable<AgentMiddleware["wrapModelCall"]>;
/** The request of a round in LangChain. */
export type GivenRequest = Parameters<WrapModelCall>[0];
export type Handler = Parameters<WrapModelCall>[1];
export type HandlerRequest = Parameters<Handler>[0];

/** Converts LangChain's request to the neutral requests, and the changes of layers back to LangChain. */
export class RoundRequest {
  readonly #chat: BaseChatModel | PlainModel;
  readonly #tools: GivenRequest["tools"];

  /**
   * @param runnable the model, or a binding of it.
   * @param offered the tools that plugins add.
   */
  constructor(
    readonly given: GivenRequest,
    readonly runnable: GivenRequest["model"],
    offered: readonly ClientTool[],
  ) {
    this.#tools = [...given.tools, ...offered];
    this.#chat = chatModelOf(runnable);
  }

  get systemPrompt(): string {
    return this.given.systemMessage.text;
  }

  /** The request of the round before any layer. */
  get reasoning(): ReasoningRequest {
    const { messages, toolChoice } = this.given;
    const outputSchema = outputSchemaOf(this.given.responseFormat, this.#chat);
    return {
      messages: messages.map(toMessage),
      tools: this.#tools.map(neutralTool),
      ...(toolChoice !== undefined && { toolChoice: choiceOf(toolChoice) }),
      ...(outputSchema !== undefined && { outputSchema }),
    };
  }

  /** Returns the request for the model. */
  model(asked: ReasoningRequest, systemPrompt: string): ModelRequest {
    const { systemMessage, modelSettings } = this.given;
    const system = systemPrompt === systemMessage.text ? systemMessage : new SystemMessage(systemPrompt);
    return {
      ...describeModel(this.#chat, modelSettings),
      ...asked,
      messages: systemPrompt === "" ? asked.messages : [toMessage(system), ...asked.messages],
      stream: streams(this.#chat),
      ...besideOf(this.#chat),
    };
  }

  /** Returns the changes of layers in LangChain's form. */
  changes(left: ModelRequest, redactor?: Redactor): Partial<HandlerRequest> {
    const { given } = this;
    const before = { messages: given.messages.map(toMessage), redactor };
    const [first, ...rest] = left.messages;
    const system = first?.role === "system" ? first : undefined;
    const kept = new Set(left.tools.map(({ name }) => name));
    return {
      messages: fromMessages(system === undefined ? left.messages : rest, before),
      systemMessage: systemMessageOf(system, given.systemMessage, redactor),
      tools: this.#tools.filter((tool) => kept.has(nameOfTool(tool))),
      ...(left.toolChoice !== undefined && { toolChoice: givenChoice(left.toolChoice) }),
    };
  }
}

function systemMessageOf(message: Message | undefined, given: SystemMessage, redactor?: Redactor): SystemMessage {
  if (message === undefined) return given.text === "" ? given : new SystemMessage("");
  const [original] = fromMessages([message], { messages: [toMessage(given)], redactor });
  return SystemMessage.isInstance(original) ? original : given;
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
