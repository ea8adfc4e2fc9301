import {
  type Message,
  message,
  type Part,
  type Reply,
  type RuntimeContext,
  stateKey,
  textOf,
  toolCallResponse,
  toolCallsOf,
} from "@suite/core";
import { isObject } from "@suite/kit";
import type { Edit } from "../tools/input.js";

/** The response of a tool call that never got one. */
export const interrupted = "This call was interrupted; there is no result.";

/**
 * Returns the history with one answer to every tool call. Providers refuse a call without an answer, or models invent
 * one.
 */
export function answered(messages: readonly Message[], why: string = interrupted): readonly Message[] {
  const missing = new Map<number, Part[]>();
  for (const { id, at } of unanswered(messages)) {
    const parts = missing.get(at) ?? [];
    parts.push(toolCallResponse(id, why, { isError: true }));
    missing.set(at, parts);
  }
  if (missing.size === 0) return messages;
  return messages.flatMap((each, at) => {
    const responses = each.role === "tool" ? missing.get(at - 1) : undefined;
    const after = messages[at + 1]?.role === "tool" ? undefined : missing.get(at);
    const joined = responses === undefined ? each : { ...each, parts: [...each.parts, ...responses] };
    return after === undefined ? [joined] : [joined, message("tool", after)];
  });
}

/**
 * Returns the history without results that answer no call: providers refuse a request that contains one. A history that
 * was cut at its beginning has such results.
 */
export function withoutOrphans(messages: readonly Message[]): readonly Message[] {
  const open: string[] = [];
  let found = false;
  const cleaned = messages.map((each): Message => {
    const parts = each.parts.filter((part) => {
      if (part.type === "tool_call") open.push(part.id);
      if (part.type !== "tool_call_response") return true;
      const callIndex = open.lastIndexOf(part.id);
      if (callIndex >= 0) open.splice(callIndex, 1);
      return callIndex >= 0;
    });
    if (parts.length === each.parts.length) return each;
    found = true;
    const { native: _, ...rest } = each;
    return { ...rest, parts };
  });
  return found ? cleaned.filter(({ parts }, at) => parts.length > 0 || parts === messages[at]?.parts) : messages;
}

/** Returns the calls without a later answer, with their positions. Ids can repeat in histories from other sources. */
function unanswered(messages: readonly Message[]): readonly { readonly id: string; readonly at: number }[] {
  const open: { readonly id: string; readonly at: number }[] = [];
  for (const [at, { parts }] of messages.entries()) {
    for (const part of parts) {
      if (part.type === "tool_call") open.push({ id: part.id, at });
      else if (part.type === "tool_call_response") {
        const callIndex = open.findLastIndex(({ id }) => id === part.id);
        if (callIndex >= 0) open.splice(callIndex, 1);
      }
    }
  }
  return open;
}

/** Returns the index of the last message with calls, if one of them is unanswered. */
export function openCallsAt(messages: readonly Message[]): number | undefined {
  const last = messages.findLastIndex((each) => each.role === "assistant" && toolCallsOf(each).length > 0);
  return unanswered(messages).some(({ at }) => at === last) ? last : undefined;
}

/** The ids of calls that compression removed from the history of the run. */
const removedIds = stateKey<readonly string[]>("agent.goneIds", () => [], {
  save: (ids) => ids,
  load: (stored) => (Array.isArray(stored) ? stored.map(String) : []),
});

const idsIn = (messages: readonly Message[]): readonly string[] => messages.flatMap(toolCallsOf).map(({ id }) => id);

/** Records the ids that a compression removed from the history, so that they are not used again. */
export function noteRemovedIds(before: readonly Message[], after: readonly Message[], run: RuntimeContext): void {
  if (before === after) return;
  const remaining = new Set(idsIn(after));
  const removed = idsIn(before).filter((id) => !remaining.has(id));
  if (removed.length > 0) run.set(removedIds, [...run.get(removedIds), ...removed]);
}

/**
 * Returns the message with a unique id for each tool call in the history of the run. Models may repeat or omit ids, and
 * a decision on one call must not count for another.
 */
export function withUniqueIds(reply: Message, history: readonly Message[], run?: RuntimeContext): Message {
  const usedIds = new Set([...idsIn(history), ...(run?.get(removedIds) ?? [])]);
  const replyIds = new Set(toolCallsOf(reply).map(({ id }) => withoutSlashes(id)));
  const parts = reply.parts.map((part): Part => {
    if (part.type !== "tool_call") return part;
    const base = withoutSlashes(part.id);
    let id = base;
    for (let n = 1; id === "" || usedIds.has(id) || (id !== base && replyIds.has(id)); n++)
      id = `${base || "call"}_${n}`;
    usedIds.add(id);
    return id === part.id ? part : { ...part, id };
  });
  return parts.every((part, index) => part === reply.parts[index]) ? reply : { ...reply, parts };
}

/** Returns the history with unique ids in its last message, whose calls are going to be run. */
export function withUniqueLastIds(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last === undefined) return messages;
  const before = messages.slice(0, -1);
  const unique = withUniqueIds(last, before);
  return unique === last ? messages : [...before, unique];
}

/** Replaces slashes, which separate the ids of an inner agent from the id of the outer call. */
const withoutSlashes = (id: string): string => id.replaceAll("/", "_");

/**
 * Returns the history with one message's calls as a person edited them, because the history must contain the calls that
 * ran.
 */
export function withEdits(
  messages: readonly Message[],
  at: number,
  edited: ReadonlyMap<string, Edit>,
): readonly Message[] {
  const callMessage = messages[at];
  if (callMessage === undefined || edited.size === 0) return messages;
  const parts = callMessage.parts.map((part) =>
    part.type === "tool_call" ? { ...part, ...edited.get(part.id) } : part,
  );
  return messages.with(at, { ...callMessage, parts });
}

/** Returns the history with the last text of the assistant replaced by the final answer of a layer. */
export function withFinalText(messages: readonly Message[], content: string): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const message = messages[at];
  if (message === undefined || textOf(message) === content) return messages;
  const first = message.parts.findIndex(({ type }) => type === "text");
  const others = message.parts.filter(({ type }) => type !== "text");
  const { native: _, ...rest } = message;
  const parts = content === "" ? others : others.toSpliced(Math.max(0, first), 0, { type: "text", content });
  return messages.with(at, { ...rest, parts });
}

/** True if the value is a part, checked as far as this package reads it. */
export function isPart(value: unknown): value is Part {
  if (!isObject(value) || typeof value.type !== "string") return false;
  if (value.type === "text" || value.type === "reasoning") return typeof value.content === "string";
  return value.type !== "tool_call" || (typeof value.id === "string" && typeof value.name === "string");
}

/** True if the value is a message. */
export const isMessage = (value: unknown): value is Message =>
  isObject(value) && typeof value.role === "string" && Array.isArray(value.parts) && value.parts.every(isPart);

/**
 * Returns the text after the last tool call.
 *
 * @param trailingCalls the number of calls at the end that ended the run. The text next to them is the answer.
 */
export function finalText({ message: { parts } }: Reply, trailingCalls: number): string {
  let skipped = 0;
  const last = parts.findLastIndex((part: Part) => part.type === "tool_call" && ++skipped > trailingCalls);
  return textOf(parts.slice(last + 1));
}
