import type { Message, Part } from "@suite/core";
import { isQuestion } from "@suite/core/messages";

/** The newest part of a history: all messages from an index on, and the user's newest message if it comes earlier. */
export interface Newest {
  readonly from: number;
  /** The index of the user's newest message, if it is before `from`. */
  readonly question: number | undefined;
  /** True if the part is within the limit. Even the minimum may be too large. */
  readonly fits: boolean;
}

/**
 * Finds the longest newest part of a history within a limit. It contains no tool call without its result, no result
 * without its call, and begins with a user message. Consecutive assistant messages stay together, because reasoning
 * belongs to the call after it. Only the returned part is measured.
 *
 * @param first the index at which the history begins, after the system prompt
 * @param sizeOf returns the size of a message
 */
export function newestWithin(
  messages: readonly Message[],
  first: number,
  bound: number,
  sizeOf: (message: Message) => number,
): Newest {
  const question = messages.findLastIndex(isQuestion);
  const found = search(messages, first, bound, sizeOf, question, new Set());
  if (!("orphans" in found)) return found;
  // Results without any call come from the caller, and need not be kept together with anything.
  const again = search(messages, first, bound, sizeOf, question, found.orphans);
  return "orphans" in again ? { from: first, question: undefined, fits: false } : again;
}

/** Returns the leading messages and the newest part. */
export const keptMessages = (
  messages: readonly Message[],
  first: number,
  { from, question }: Newest,
): readonly Message[] => [
  ...messages.slice(0, first),
  ...messages.slice(question ?? from, question === undefined ? from : question + 1),
  ...messages.slice(from),
];

function search(
  messages: readonly Message[],
  first: number,
  bound: number,
  sizeOf: (message: Message) => number,
  question: number,
  ignored: ReadonlySet<string>,
): Newest | { readonly orphans: ReadonlySet<string> } {
  const questionMessage = messages[question];
  const reserved = questionMessage === undefined ? 0 : sizeOf(questionMessage);
  const open = new Set<string>();
  let best: Newest | undefined;
  let size = 0;
  for (let at = messages.length - 1; at >= first; at--) {
    const message = messages[at] as Message;
    size += sizeOf(message);
    const before = at > question ? question : -1;
    const fits = size + (before >= 0 ? reserved : 0) <= bound;
    if (!fits && best !== undefined) return best;
    follow(message, open, ignored);
    if (open.size > 0 || !begins(messages, first, at, question)) continue;
    best = { from: at, question: before >= 0 ? before : undefined, fits };
    if (!fits) return best;
  }
  const fits = size <= bound;
  return fits || open.size === 0 ? { from: first, question: undefined, fits } : { orphans: open };
}

/**
 * Returns true if a history may begin with this message: a user message, or, after the newest of these, a complete
 * step.
 */
function begins(messages: readonly Message[], first: number, at: number, question: number): boolean {
  if (at === first) return true;
  const message = messages[at] as Message;
  if (at <= question) return isQuestion(message);
  return message.role === "assistant" && messages[at - 1]?.role !== "assistant";
}

/** Tracks calls while moving backwards: a result opens its id, its call closes it. */
function follow({ parts }: Message, open: Set<string>, ignored: ReadonlySet<string>): void {
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index] as Part;
    if (part.type === "tool_call") open.delete(part.id);
    else if (part.type === "server_tool_call") open.delete(`server ${part.id}`);
    else if (part.type === "tool_call_response") mark(open, ignored, part.id);
    else if (part.type === "server_tool_call_response") mark(open, ignored, `server ${part.id}`);
  }
}

function mark(open: Set<string>, ignored: ReadonlySet<string>, id: string): void {
  if (!ignored.has(id)) open.add(id);
}

/** Returns the index of the first message after the system prompt. */
export function historyStart(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== "system");
  return first < 0 ? messages.length : first;
}
