import type { Message } from "@suite/core";
import { isQuestion } from "@suite/core/messages";

/** The size limits of a stored conversation. */
export interface ConversationBounds {
  /** The maximum number of messages. Default: 1000. */
  readonly maxMessages?: number;
  /** The maximum number of characters of their JSON. Default: 1,000,000. */
  readonly maxCharacters?: number;
}

/**
 * Returns the newest part of a conversation within its limits. It begins with a user message, so that no result is
 * without its call. Returns `undefined` if the newest turn alone is too large.
 */
export function withinBounds(
  messages: readonly Message[],
  { maxMessages = 1000, maxCharacters = 1_000_000 }: ConversationBounds,
): readonly Message[] | undefined {
  let characters = 0;
  let from: number | undefined;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] as Message;
    characters += JSON.stringify(message).length;
    if (messages.length - at > maxMessages || characters > maxCharacters) break;
    if (at === 0 || isQuestion(message)) from = at;
  }
  return from === undefined ? undefined : messages.slice(from);
}
