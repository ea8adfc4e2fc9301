import type { ApprovalDecision, Message, Part, Pending, ToolCallResponsePart } from "@suite/core";
import { isOfModelClient } from "../signer.js";

/** One call that a suspended run waits for. */
export interface PendingCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly reason: Pending["reason"];
  /** The question that a person is asked. */
  readonly question?: string;
  /** The decisions that an approval takes. Left out: all of them. `cancel` is always possible. */
  readonly decisions?: readonly ApprovalDecision[];
  /** The digest of name and arguments: a decision names it, so that it is a decision on just these. */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly handedOutAt: number;
}

/**
 * A suspended run as plain JSON. Store it where you like (it holds the conversation: treat it as you treat that), and
 * give it back with decisions: `agent.run({ pending, decisions })`. Signed, expiring, and used once.
 */
export interface PendingState {
  readonly version: 1;
  /** The id of this suspension; a store claims it when the run is resumed. */
  readonly id: string;
  readonly runId: string;
  readonly agent: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly tenantId?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly round: number;
  readonly messages: readonly Message[];
  readonly calls: readonly PendingCall[];
  /** Results of the same batch that are there already. */
  readonly done: readonly ToolCallResponsePart[];
  /** The values that the run and its plugins keep over the suspension, by name: counters, say. */
  readonly durable: Readonly<Record<string, unknown>>;
  readonly signature: { readonly kid: string; readonly mac: string };
}

export type UnsignedState = Omit<PendingState, "signature">;

/** A pending call as hooks see it. */
export const pendingOf = ({
  reason,
  id,
  name,
  arguments: args,
  question,
  decisions,
  handedOutAt,
}: PendingCall): Pending => ({
  reason,
  handedOutAt,
  part: { type: "tool_call", id, name, arguments: args },
  ...(question !== undefined && { question }),
  ...(decisions !== undefined && { decisions }),
});

/** Returns messages without what cannot travel: a framework's own objects stay here. */
export const portable = (messages: readonly Message[]): readonly Message[] =>
  messages.map(({ native: _, parts, ...rest }) => ({ ...rest, parts: parts.map(portablePart) }));

function portablePart(part: Part): Part {
  if (part.type === "native" || !("native" in part) || isOfModelClient(part.native)) return part;
  const { native: _, ...rest } = part;
  return rest;
}
