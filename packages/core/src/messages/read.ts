import type { Message, Part, ToolCallPart } from "./message.js";

/** Returns the joined text of a message or of parts, without reasoning. */
export function textOf(source: Message | readonly Part[]): string {
  let all = "";
  for (const part of partsOf(source)) if (part.type === "text") all += part.content;
  return all;
}

/** Returns the tool calls of a message or of parts, in order. */
export const toolCallsOf = (source: Message | readonly Part[]): readonly ToolCallPart[] =>
  partsOf(source).filter((part): part is ToolCallPart => part.type === "tool_call");

/**
 * Returns the tool calls without a later response, in order. A model rejects such a history or invents the responses.
 */
export function unansweredCalls(messages: readonly Message[]): readonly ToolCallPart[] {
  const open = new Map<string, ToolCallPart>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === "tool_call") open.set(part.id, part);
      else if (part.type === "tool_call_response") open.delete(part.id);
    }
  }
  return [...open.values()];
}

const partsOf = (source: Message | readonly Part[]): readonly Part[] => ("parts" in source ? source.parts : source);
