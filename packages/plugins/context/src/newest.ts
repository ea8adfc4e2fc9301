import type { Message, Part } from "@suite/core";
import { isQuestion } from "@suite/core/messages";

/** The newest part of a history: all from one message on, and the newest message of the user where that stands before it. */
export interface Newest {
  readonly from: number;
  /** The place of the newest message of the user, where it is before `from`. */
  readonly question: number | undefined;
  /** Whether it is within the bound: the least that can go may be too large by itself. */
  readonly fits: boolean;
}

/**
 * Finds the longest newest part of a history within a bound that leaves no tool call without its result and no result
 * without its call, and that begins with a message of the user. Messages of the assistant that follow each other stay
 * together: reasoning belongs to the call behind it. No more of the history is measured than is kept.
 *
 * @param first the place at which the history begins, after the system prompt.
 * @param sizeOf the size of a message.
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
  // Results that never had a call are the caller's: they hold nothing together.
  const again = search(messages, first, bound, sizeOf, question, found.orphans);
  return "orphans" in again ? { from: first, question: undefined, fits: false } : again;
}

/** The messages of a newest part, after those in front. */
export const keptOf = (messages: readonly Message[], first: number, { from, question }: Newest): readonly Message[] => [
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
  const asked = messages[question];
  const reserved = asked === undefined ? 0 : sizeOf(asked);
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

/** Whether a history may begin with this message: with the user's, or, behind the newest of these, with a whole step. */
function begins(messages: readonly Message[], first: number, at: number, question: number): boolean {
  if (at === first) return true;
  const message = messages[at] as Message;
  if (at <= question) return isQuestion(message);
  return message.role === "assistant" && messages[at - 1]?.role !== "assistant";
}

/** Follows a history backwards: a result opens its id, its call closes it. */
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

/** The place of the first message that is not of the system prompt. */
export function historyStart(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== "system");
  return first < 0 ? messages.length : first;
}
