import { factOf } from "./aliases.js";
import { partsOf } from "./conversation.js";
import { type Decision, decisionIn, decisionsOf } from "./decision.js";
import type { ChatMessage } from "./message.js";
import type { Span } from "./span.js";

/**
 * A decision in a conversation, with the span that contains it. A guard that reads the same input again decides the
 * same again.
 */
export interface Decided extends Decision {
  readonly traceId: string;
  readonly spanId: string;
  readonly times: number;
}

/**
 * Groups the decisions of a run by the index of their message in the conversation. The index is -1 if no message
 * matches.
 */
export function decidedIn(
  messages: readonly ChatMessage[],
  spans: readonly Span[],
): ReadonlyMap<number, readonly Decided[]> {
  const texts = messages.map((message) => JSON.stringify(message));
  const found = new Map<number, Decided[]>();
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const events = decisionsOf(span);
    if (events.length === 0) continue;
    const indexFor = indexFinder(span, messages, texts);
    for (const event of events) {
      const decision = decisionIn(event);
      const at = indexFor(decision);
      const there = found.get(at) ?? [];
      const same = there.findIndex((each) => isSame(each, decision));
      const before = there[same];
      if (before === undefined) there.push({ ...decision, traceId: span.traceId, spanId: span.spanId, times: 1 });
      else there[same] = { ...before, times: before.times + 1 };
      found.set(at, there);
    }
  }
  return found;
}

const isSame = (a: Decision, b: Decision): boolean =>
  a.word === b.word && a.by === b.by && a.place === b.place && a.why === b.why && a.enforced === b.enforced;

/**
 * Returns the index of the messages that a decision on this span is about: for a tool by the id of its call, for a
 * model by its input and output.
 */
function indexFinder(
  span: Span,
  messages: readonly ChatMessage[],
  texts: readonly string[],
): (decision: Decision) => number {
  const call = factOf("toolCall", span);
  if (call !== undefined) {
    const inputIndex = indexOfPart(messages, "tool_call", call);
    const answered = indexOfPart(messages, "tool_call_response", call);
    return ({ place }) => (place === "tool_result" && answered >= 0 ? answered : inputIndex);
  }
  const { input, output } = partsOf(span);
  const user = input.findLast(({ role }) => role === "user");
  const inputIndex = user === undefined ? -1 : texts.lastIndexOf(JSON.stringify(user));
  const answered = output[0] === undefined ? -1 : texts.lastIndexOf(JSON.stringify(output[0]));
  return ({ place }) => (place === "input" ? inputIndex : answered >= 0 ? answered : inputIndex);
}

const indexOfPart = (messages: readonly ChatMessage[], type: string, id: string): number =>
  messages.findIndex(({ parts }) => parts.some((part) => part.type === type && part.id === id));
