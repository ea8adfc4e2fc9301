import type { Message, Part } from "./message.js";

/**
 * Removes results whose calls were removed, and calls whose results were removed: providers reject a request with only
 * one of the two. Parts that were unpaired before stay.
 *
 * @param before the messages before the removal.
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

/** Returns calls without a later result, and results without an earlier call. */
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
