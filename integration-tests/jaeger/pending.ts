import type { PendingCall, PendingState } from "@suite/agent";
import type { ModelAnswer } from "@suite/testkit";
import { attribute, plain, type Span } from "../collector/spans.js";
import type { Ended } from "./shop.js";

/** A model's answer that calls one tool. */
export const calls = (name: string): ModelAnswer => ({
  text: "One moment. ",
  toolCalls: [{ id: `call-${name}`, name, arguments: { order: 1002 } }],
});

export const done: ModelAnswer = { text: "Done.", chunks: "characters" };

/** The state that a suspended turn waits with, and the one call in it. */
export function pendingOf(ended: Ended): { readonly pending: PendingState; readonly call: PendingCall } {
  const [call] = ended.status === "suspended" ? ended.pending.calls : [];
  if (ended.status !== "suspended" || call === undefined) throw new Error(`the turn does not wait: ${ended.status}`);
  return { pending: ended.pending, call };
}

/** The two turns of a conversation that waited, and the spans of what came of the call. */
export function turnsOf(spans: readonly Span[]) {
  const waiting = spans.filter((span) => attribute(span, "suite.status") === "suspended");
  const ended = spans.filter((span) => !waiting.includes(span));
  const isTurn = ({ name }: Span) => name === "invoke_agent clerk";
  return {
    asking: waiting.find(isTurn),
    resuming: ended.find(isTurn),
    compensating: ended.filter((span) => attribute(span, "gen_ai.tool.call.id") !== undefined),
  };
}

/** The links of a span: each with its target and its attributes, which say what it means. */
export const linksOf = ({ links = [] }: Span) =>
  links.map(({ traceId, spanId, attributes }) => ({ traceId, spanId, ...plain(attributes) }));
