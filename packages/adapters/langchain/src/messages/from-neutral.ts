import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { Message, Part, Redactor } from "@suite/core";
import { callFieldsOf, contentOf, metadataIn, toolMessageContent } from "./content.js";
import { patched } from "./patch.js";
import { originalOf } from "./to-neutral.js";

/** The messages that layers received, and the redactor of their run. */
export interface OriginalMessages {
  readonly messages: readonly Message[];
  readonly redactor?: Redactor | undefined;
}

/**
 * Converts messages to LangChain. An unchanged message returns its original, a changed one a copy of the original with
 * the changes. Messages that a layer added are created.
 */
export function fromMessages(messages: readonly Message[], originals?: OriginalMessages): BaseMessage[] {
  const before = originals?.messages ?? [];
  const aligned = messages.length === before.length;
  return messages.flatMap((message, index) => {
    const original = originalOf(message) ?? (aligned ? originalFor(message, before[index]) : undefined);
    if (original === undefined) return built(message);
    return patched(original, message, { redactor: originals?.redactor, toProvider: true });
  });
}

/** Returns the original of a changed message. */
function originalFor(message: Message, before: Message | undefined): BaseMessage | undefined {
  if (before === undefined || before.role !== message.role) return undefined;
  const answers = message.parts.filter(({ type }) => type === "tool_call_response");
  return message.role === "tool" && answers.length !== 1 ? undefined : originalOf(before);
}

function built({ role, parts, name }: Message): BaseMessage | readonly BaseMessage[] {
  const fields = { content: contentOf(parts), ...metadataIn(parts), ...(name !== undefined && { name }) };
  if (role === "user") return new HumanMessage(fields);
  if (role === "system") return new SystemMessage(fields);
  if (role === "assistant") return new AIMessage({ ...fields, ...callFieldsOf(parts) });
  // LangChain has one message for each answer.
  return parts.flatMap((part) => (part.type === "tool_call_response" ? new ToolMessage(answerOf(part, name)) : []));
}

function answerOf(part: Part & { type: "tool_call_response" }, name: string | undefined) {
  const { id, response, isError } = part;
  return {
    tool_call_id: id,
    content: toolMessageContent(response),
    status: isError === true ? ("error" as const) : ("success" as const),
    ...(name !== undefined && { name }),
  };
}
