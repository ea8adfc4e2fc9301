import type { ToolCallPart } from "../messages/message.js";

/**
 * The run waits for a person, or for tools that run elsewhere. A stream returns it as its return value;
 * nothing throws it, so that no `catch` can retry it.
 */
export interface Suspended {
  readonly suspended: readonly Pending[];
}

/**
 * A person's decision on a tool call that needs approval: `edit` approves it with other arguments, or of another tool,
 * `respond` gives the result in the tool's place.
 */
export type ApprovalDecision = "approve" | "edit" | "reject" | "respond";

/** One thing that a suspended run waits for. */
export interface Pending {
  /** `approval` of the call, its result from elsewhere (`external`), or a person's answer to `question`. */
  readonly reason: "approval" | "external" | "input";
  readonly part: ToolCallPart;
  readonly question?: string;
  /** The decisions that this approval takes. Left out: all of them. */
  readonly decisions?: readonly ApprovalDecision[];
  /** Milliseconds since the epoch; now, where it is left out. */
  readonly handedOutAt?: number;
}
