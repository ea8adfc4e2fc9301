import type { Message, Part } from "@suite/core";
import type { ApprovalDecision, Pending } from "@suite/core/contract";
import type { ToolCallResponsePart } from "@suite/core/messages";
import { isOfModelClient } from "../signer.js";

/** One call that a suspended run waits for. */
export interface PendingCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly reason: Pending["reason"];
  /** The question for the person. */
  readonly question?: string;
  /** The decisions that an approval allows. Left out: all. `cancel` is always allowed. */
  readonly decisions?: readonly ApprovalDecision[];
  /**
   * The digest of the call: run, caller, name, id and arguments. A decision contains it, so that it applies to exactly
   * this call. A request of `@suite/approval` for this call has it as its id.
   */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly handedOutAt: number;
}

/**
 * A suspended run as plain JSON. It contains the conversation, so store it with the same care. To resume, pass it with
 * decisions: `agent.run({ pending, decisions })`. It is signed, expires, and can be used once.
 */
export interface PendingState {
  readonly version: 1;
  /** The id of this suspension. A store claims it when the run is resumed. */
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
  /** Results of the same batch that are already available. */
  readonly done: readonly ToolCallResponsePart[];
  /** Values of the run and its plugins that survive the suspension, by name, for example counters. */
  readonly durable: Readonly<Record<string, unknown>>;
  readonly signature: { readonly kid: string; readonly mac: string };
}

export type UnsignedState = Omit<PendingState, "signature">;

/** Returns a pending call as hooks see it. */
export const pendingOf = ({
  reason,
  id,
  name,
  arguments: args,
  question,
  decisions,
  handedOutAt,
  digest,
}: PendingCall): Pending => ({
  reason,
  digest,
  handedOutAt,
  part: { type: "tool_call", id, name, arguments: args },
  ...(question !== undefined && { question }),
  ...(decisions !== undefined && { decisions }),
});

/** Returns messages without framework objects, which cannot be stored. */
export const portable = (messages: readonly Message[]): readonly Message[] =>
  messages.map(({ native: _, parts, ...rest }) => ({ ...rest, parts: parts.map(portablePart) }));

function portablePart(part: Part): Part {
  if (part.type === "native" || !("native" in part) || isOfModelClient(part.native)) return part;
  const { native: _, ...rest } = part;
  return rest;
}
