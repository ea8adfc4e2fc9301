import { type BaseMessage, type BaseMessageLike, coerceMessageLikeToMessage } from "@langchain/core/messages";
import { type Command, isCommand } from "@langchain/langgraph";
import type { Message, Redactor } from "@suite/core";
import { isRecord } from "@suite/kit";
import { fromMessages } from "../messages/from-neutral.js";
import { toMessage } from "../messages/to-neutral.js";

/** The input of an agent: a state with messages, or a command to resume. */
export class AgentInput {
  #messages: readonly Message[] | undefined;
  #coerced: readonly BaseMessage[] | undefined;

  constructor(readonly original: unknown) {}

  /** The messages, converted when they are first read. */
  get messages(): readonly Message[] {
    this.#messages ??= this.#all.map(toMessage);
    return this.#messages;
  }

  get #all(): readonly BaseMessage[] {
    const { original } = this;
    const messages = isRecord(original) && !isCommand(original) ? original.messages : undefined;
    this.#coerced ??= messages === undefined ? [] : coerced(Array.isArray(messages) ? messages : [messages]);
    return this.#coerced;
  }

  /** The command that resumes a suspended run. */
  get command(): Command | undefined {
    return isCommand(this.original) && "resume" in this.original && this.original.resume !== undefined
      ? this.original
      : undefined;
  }

  /** Returns the final state of an agent whose answer comes from a layer. */
  answered(reply: BaseMessage): object {
    return {
      ...(isRecord(this.original) && !isCommand(this.original) && this.original),
      messages: [...this.#all, reply],
    };
  }

  /** Returns the input with the messages after the layers, or the same input if they changed none. */
  with(messages: readonly Message[], redactor?: Redactor): unknown {
    const same =
      messages.length === this.messages.length && messages.every((one, index) => one === this.messages[index]);
    if (same || !isRecord(this.original)) return this.original;
    return { ...this.original, messages: fromMessages(messages, { messages: this.messages, redactor }) };
  }
}

const coerced = (messages: readonly unknown[]): readonly BaseMessage[] =>
  messages.map((message) => coerceMessageLikeToMessage(message as BaseMessageLike));
