import { type BaseMessage, isAIMessage, isToolMessage } from "@langchain/core/messages";
import { type Message, type Part, text, toolCall, toolCallResponse } from "@suite/core";
import { rememberConversion } from "@suite/core/adapter";
import type { Role } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import { partOf } from "./blocks.js";
import { metadataOf } from "./metadata.js";

const roles: Readonly<Record<string, Role>> = {
  __proto__: null as never,
  human: "user",
  ai: "assistant",
  tool: "tool",
  function: "tool",
  system: "system",
  developer: "system",
};

/** The originals of converted messages, so that an unchanged message returns the same object. */
const originals = new WeakMap<Message, BaseMessage>();

/** Returns the original of a message, or `undefined` if it was changed or created elsewhere. */
export const originalOf = (message: Message): BaseMessage | undefined => originals.get(message);

/** Converts a LangChain message to the neutral model. Converts it once, and again only if it was mutated. */
export const toMessage = rememberConversion(convert, (from: BaseMessage) => [
  from.content,
  from.name,
  from.additional_kwargs,
  from.response_metadata,
  ...(isAIMessage(from) ? [from.tool_calls, from.invalid_tool_calls] : []),
]);

function convert(from: BaseMessage): Message {
  const parts = isToolMessage(from) ? [responseOf(from)] : [...contentParts(from), ...callsOf(from)];
  const metadata = metadataOf(from);
  const message: Message = {
    role: roleOf(from),
    parts: metadata === undefined ? parts : withMetadata(parts, metadata),
    ...(from.name !== undefined && { name: from.name }),
  };
  originals.set(message, from);
  return message;
}

/**
 * Adds metadata to parts. It is on the first part, so that a guard sees it and removes it when it rewrites the part.
 */
function withMetadata(parts: readonly Part[], metadata: object): readonly Part[] {
  const [first, ...rest] = parts;
  if (first === undefined || first.type === "native") return [{ type: "native", value: { metadata } }, ...parts];
  const native = { ...(isRecord(first.native) ? first.native : {}), metadata };
  return [{ ...first, native }, ...rest];
}

function roleOf(from: BaseMessage): Role {
  const role = "role" in from && typeof from.role === "string" ? from.role : "";
  return roles[from.type] ?? roles[role] ?? (role === "assistant" ? "assistant" : "user");
}

function contentParts(from: BaseMessage): readonly Part[] {
  const { content } = from;
  if (typeof content === "string") return content === "" ? [] : [text(content)];
  return content.filter((block) => !isCallCopy(block, from)).map(partOf);
}

/** True for a block that repeats a call of the message: providers also put their calls in the content. */
export function isCallCopy(block: unknown, from: BaseMessage): boolean {
  if (!isRecord(block) || !callBlocks.has(String(block.type)) || !isAIMessage(from)) return false;
  return (from.tool_calls ?? []).some(({ id }) => id === block.id);
}

const callBlocks = new Set(["tool_use", "tool_call", "function_call", "functionCall"]);

function callsOf(from: BaseMessage): readonly Part[] {
  if (!isAIMessage(from)) return [];
  const calls = (from.tool_calls ?? []).map(({ id, name, args }) => toolCall(id ?? "", name, args));
  // Invalid arguments are not JSON, so they remain a string.
  const invalid = (from.invalid_tool_calls ?? []).map(({ id, name, args }) =>
    toolCall(id ?? "", name ?? "", args ?? ""),
  );
  return [...calls, ...invalid];
}

function responseOf(from: BaseMessage & { tool_call_id: string; status?: string }): Part {
  return toolCallResponse(from.tool_call_id, from.content, { isError: from.status === "error" });
}
