import type { ToolCallPart } from "../messages/message.js";

/**
 * The result of a run that waits for a person, or for tools that run elsewhere. A stream returns it as its return
 * value. It is never thrown, so that no `catch` can retry it.
 */
export interface Suspended {
  readonly suspended: readonly Pending[];
}

/**
 * A person's decision on a tool call that needs approval. `edit` approves it with other arguments or for another tool.
 * `respond` sets the result, and the tool does not run.
 */
export type ApprovalDecision = "approve" | "edit" | "reject" | "respond";

/** One item that a suspended run waits for. */
export interface Pending {
  /** `approval` of the call, its result from elsewhere (`external`), or a person's answer to `question` (`input`). */
  readonly reason: "approval" | "external" | "input";
  readonly part: ToolCallPart;
  readonly question?: string;
  /** Allowed decisions. Default: all. */
  readonly decisions?: readonly ApprovalDecision[];
  /** The digest of the call (`callDigest`), if another run made it: an inner agent's. Default: computed by the run. */
  readonly digest?: string;
  /** Milliseconds since the epoch. Default: now. */
  readonly handedOutAt?: number;
}
