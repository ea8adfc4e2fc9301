import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type MessageContent,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { type Message, type Part, textOf, toolCallsOf, toolContentOf } from "@suite/core";
import { blockOf } from "./blocks.js";
import { isRecord, type Metadata, nativeFormOf } from "./metadata.js";
import { originalOf } from "./to-neutral.js";

/** A message for LangChain: the one that it was made from, where no layer changed it. */
export const fromMessages = (messages: readonly Message[]): BaseMessage[] => messages.flatMap(fromMessage);

function fromMessage(message: Message): BaseMessage | readonly BaseMessage[] {
  const original = originalOf(message);
  if (original !== undefined) return original;
  const { role, parts, name } = message;
  const fields = { content: contentOf(parts), ...metadataOf(parts), ...(name !== undefined && { name }) };
  if (role === "user") return new HumanMessage(fields);
  if (role === "system") return new SystemMessage(fields);
  if (role === "assistant") return new AIMessage({ ...fields, ...callFieldsOf(parts) });
  // LangChain has one message for each answer.
  return parts.flatMap((part) => (part.type === "tool_call_response" ? new ToolMessage(answerOf(part, name)) : []));
}

/** The parts as content: text alone as a string, anything else as blocks. */
export function contentOf(parts: readonly Part[]): MessageContent {
  const content = parts.filter((part) => blockOf(part) !== undefined && !isMetadata(part));
  const plain = content.every((part) => part.type === "text" && !("block" in nativeFormOf(part)));
  return plain ? textOf(content) : (content.map(blockOf) as MessageContent);
}

/** The tool calls of an answer, in LangChain's two lists. */
export function callFieldsOf(parts: readonly Part[]) {
  const calls = toolCallsOf(parts);
  const invalid = calls.filter((call) => !isRecord(call.arguments));
  return {
    tool_calls: calls.flatMap(({ id, name, arguments: args }) =>
      isRecord(args) ? { type: "tool_call" as const, id, name, args } : [],
    ),
    invalid_tool_calls: invalid.map(({ id, name, arguments: args }) => ({
      type: "invalid_tool_call" as const,
      id,
      name,
      args: typeof args === "string" ? args : JSON.stringify(args),
      error: "The arguments are not a JSON object.",
    })),
  };
}

/** The metadata that is still there after all layers. */
export function metadataOf(parts: readonly Part[]): Metadata {
  const [first] = parts;
  if (first === undefined) return {};
  const { metadata } = isMetadata(first) ? first.value : nativeFormOf(first);
  return isRecord(metadata) ? metadata : {};
}

type MetadataPart = Part & { readonly type: "native"; readonly value: { readonly metadata: unknown } };

/** A part that stands for nothing but metadata. */
const isMetadata = (part: Part): part is MetadataPart =>
  part.type === "native" && isRecord(part.value) && "metadata" in part.value && Object.keys(part.value).length === 1;

function answerOf(part: Part & { type: "tool_call_response" }, name: string | undefined) {
  const { id, response, isError } = part;
  return {
    tool_call_id: id,
    content: toolMessageContent(response),
    status: isError === true ? ("error" as const) : ("success" as const),
    ...(name !== undefined && { name }),
  };
}

/** The content of a tool's message for what it answered: as LangChain itself does it, and content parts as its blocks. */
export function toolMessageContent(response: unknown): string | MessageContent {
  if (typeof response === "string") return response;
  const parts = toolContentOf(response);
  if (parts !== undefined) return contentOf(parts);
  const blocks =
    Array.isArray(response) && response.length > 0 && response.every((item) => isRecord(item) && "type" in item);
  return blocks ? (response as MessageContent) : (JSON.stringify(response) ?? "");
}
