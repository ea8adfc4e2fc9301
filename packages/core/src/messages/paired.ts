import type { Message, Part } from "./message.js";

/**
 * Messages without the results whose calls were taken out, and without the calls whose results were: providers refuse a
 * request in which one is alone. Those that were alone before stay as they were.
 *
 * @param before the messages from which some were taken out.
 */
export function paired(messages: readonly Message[], before: readonly Message[]): readonly Message[] {
  const alone = loneParts(messages);
  if (alone.size === 0) return messages;
  const were = new Set([...loneParts(before)].map(keyOf));
  const stays = (part: Part): boolean => !alone.has(part) || were.has(keyOf(part));
  return messages.flatMap((message) => {
    const parts = message.parts.filter(stays);
    if (parts.length === message.parts.length) return message;
    const { native: _, ...rest } = message;
    return parts.length === 0 ? [] : { ...rest, parts };
  });
}

const keyOf = (part: Part): string => `${part.type} ${"id" in part && part.id}`;

/** Calls without a result behind them, and results without a call before them. */
function loneParts(messages: readonly Message[]): Set<Part> {
  const alone = new Set<Part>();
  const open = new Map<string, Part>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === "tool_call") {
      open.set(part.id, part);
      alone.add(part);
    } else if (part.type === "tool_call_response") {
      const call = open.get(part.id);
      if (call === undefined) alone.add(part);
      else alone.delete(call);
      open.delete(part.id);
    }
  }
  return alone;
}
