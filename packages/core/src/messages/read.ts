import type { Message, Part, ToolCallPart } from "./message.js";

/** The text of a message or of parts, joined; reasoning is not text. */
export function textOf(source: Message | readonly Part[]): string {
  let all = "";
  for (const part of partsOf(source)) if (part.type === "text") all += part.content;
  return all;
}

/** The tool calls of a message or of parts, in order. */
export const toolCallsOf = (source: Message | readonly Part[]): readonly ToolCallPart[] =>
  partsOf(source).filter((part): part is ToolCallPart => part.type === "tool_call");

/** The tool calls that no later part answers, in order: a model that is given such a history refuses it, or makes answers up. */
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
