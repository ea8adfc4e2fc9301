import { type Message, type Part, toolCallsOf } from "@suite/core";
import { isRecord } from "@suite/kit";
import type { Settings } from "../framework.js";
import { type FrameworkMessage, readMessage, toMessage } from "../messages/to-neutral.js";

/** The history at the start of a turn: the framework's messages, and their neutral form. */
export interface History {
  readonly originals: readonly FrameworkMessage[];
  readonly messages: readonly Message[];
}

export function historyOf({ prompt, messages }: Pick<Settings, "prompt" | "messages">): History {
  if (typeof prompt === "string") {
    const message = { role: "user", content: prompt };
    return { originals: [message], messages: [readMessage(message)] };
  }
  const input = prompt ?? messages ?? [];
  const originals = Array.isArray(input) ? (input as readonly FrameworkMessage[]) : [];
  return { originals, messages: originals.map(toMessage) };
}

/** A call of the last answer, and the result or decision that has arrived for it. */
export interface Waited {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** The provider options of the call in the history, which contain its ticket. */
  readonly providerOptions: unknown;
  readonly result?: Extract<Part, { type: "tool_call_response" }>;
  readonly approval?: { readonly approved: boolean; readonly reason?: string };
}

/** Returns the calls of the last answer with a result or a decision. The turn continues with them. */
export function waitedFor({ originals, messages }: History): readonly Waited[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const answer = messages[last];
  if (answer === undefined) return [];
  const parts = partsIn(originals[last]);
  const since = messages.slice(last + 1).flatMap(({ parts }) => parts);
  const decisions = originals.slice(last + 1).flatMap(partsIn);
  return toolCallsOf(answer).flatMap(({ id, name, arguments: args }) => {
    const result = since.find((part) => part.type === "tool_call_response" && part.id === id);
    const request = parts.find((part) => part.type === "tool-approval-request" && part.toolCallId === id);
    const decision = decisions.find(
      (part) => part.type === "tool-approval-response" && part.approvalId === request?.approvalId,
    );
    if (result === undefined && decision === undefined) return [];
    const providerOptions = parts.find((part) => part.toolCallId === id && part.type === "tool-call")?.providerOptions;
    const reason = decision?.reason;
    return {
      id,
      name,
      arguments: args,
      providerOptions,
      ...(result?.type === "tool_call_response" && { result }),
      ...(decision && {
        approval: { approved: decision.approved === true, ...(typeof reason === "string" && { reason }) },
      }),
    };
  });
}

const partsIn = (message: FrameworkMessage | undefined): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(message?.content) ? message.content.filter(isRecord) : [];
