import { isRecord } from "@suite/kit";
import { operationOf } from "./aliases.js";
import { foreignParts } from "./foreign-messages.js";
import type { ChatMessage, MessagePart, Parts } from "./message.js";
import { isModelCall } from "./run.js";
import type { Span } from "./span.js";

/**
 * Returns the conversation of a run: the input and the output of the agent, or of its last model call if the agent's
 * span has no content. Empty if no content was captured.
 */
export function conversationOf(spans: readonly Span[]): readonly ChatMessage[] {
  const inTime = [...spans].sort((a, b) => a.start - b.start);
  const models = inTime.filter(isModelCall).reverse();
  const agents = inTime.filter((span) => operationOf(span) === "invoke_agent");
  // A model call contains the messages of tools, which an agent's span leaves out.
  let best: readonly ChatMessage[] = [];
  for (const span of [...models, ...agents]) {
    const messages = messagesOf(span);
    if (messages.length > best.length) best = messages;
  }
  return best;
}

/** The messages of one span: system instructions, input, output. */
const messagesOf = (span: Span): readonly ChatMessage[] => {
  const { input, output } = partsOf(span);
  return [...input, ...output];
};

/**
 * Returns the input and output messages of a span: from the attributes of the conventions, otherwise from those of its
 * sender.
 */
export function partsOf(span: Span): Parts {
  const conventional = conventionalParts(span);
  if (conventional.input.length + conventional.output.length > 0 || operationOf(span) === undefined)
    return conventional;
  return foreignParts(span);
}

function conventionalParts({ attributes }: Span): Parts {
  const system = listOf(attributes["gen_ai.system_instructions"]);
  const parts = system.filter((part): part is MessagePart => isRecord(part));
  return {
    input: [
      ...(parts.length > 0 ? [{ role: "system", parts }] : []),
      ...listOf(attributes["gen_ai.input.messages"]).flatMap(messageOf),
    ],
    output: listOf(attributes["gen_ai.output.messages"]).flatMap(messageOf),
  };
}

/** Returns a list, or the list that a JSON string contains. */
function listOf(value: unknown): readonly unknown[] {
  if (typeof value !== "string") return Array.isArray(value) ? value : [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function messageOf(value: unknown): readonly ChatMessage[] {
  if (!isRecord(value)) return [];
  const parts = Array.isArray(value.parts) ? value.parts.filter(isRecord) : [];
  const role = typeof value.role === "string" ? value.role : "";
  // Pydantic AI sends results of tools as user messages.
  const isOfTool = parts.length > 0 && parts.every(({ type }) => type === "tool_call_response");
  return [{ role: isOfTool ? "tool" : role, parts }];
}
