import { type Message, message, type Part, type ToolCallPart, toolCallResponse, unansweredCalls } from "@suite/core";

/** What stands for the answer of a call that never got one. */
const interrupted = "This call was interrupted; there is no result.";

/** The history with an answer to every tool call: providers refuse one without, or models make it up. */
export function answered(messages: readonly Message[], why: string = interrupted): readonly Message[] {
  const open = new Set(unansweredCalls(messages).map(({ id }) => id));
  if (open.size === 0) return messages;
  const repaired: Message[] = [];
  let owed: readonly Part[] = [];
  for (const each of messages) {
    const joins = owed.length > 0 && each.role === "tool";
    if (owed.length > 0 && !joins) repaired.push(message("tool", owed));
    repaired.push(joins ? { ...each, parts: [...each.parts, ...owed] } : each);
    owed = each.parts
      .filter((part): part is ToolCallPart => part.type === "tool_call" && open.has(part.id))
      .map(({ id }) => toolCallResponse(id, why, { isError: true }));
  }
  return owed.length === 0 ? repaired : [...repaired, message("tool", owed)];
}

/**
 * The message with an id of its own for each tool call. Models may repeat or leave out ids, and a decision on one call
 * must not count for another.
 */
export function withOwnIds(reply: Message): Message {
  const seen = new Set<string>();
  const parts = reply.parts.map((part, index): Part => {
    if (part.type !== "tool_call") return part;
    // A slash is what separates an inner agent's ids from the outer call's.
    const given = part.id.replaceAll("/", "~");
    const id = given !== "" && !seen.has(given) ? given : `${given}#${index}`;
    seen.add(id);
    return id === part.id ? part : { ...part, id };
  });
  return parts.every((part, index) => part === reply.parts[index]) ? reply : { ...reply, parts };
}

/** The history with other arguments in one call: what ran is what is remembered. */
export const withArguments = (messages: readonly Message[], id: string, args: unknown): readonly Message[] =>
  messages.map((each) =>
    each.parts.some((part) => isCall(part, id))
      ? { ...each, parts: each.parts.map((part) => (isCall(part, id) ? { ...part, arguments: args } : part)) }
      : each,
  );

const isCall = (part: Part, id: string): boolean => part.type === "tool_call" && part.id === id;
