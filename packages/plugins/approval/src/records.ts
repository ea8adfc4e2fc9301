import type { ApprovalDecision } from "@suite/core/contract";
import type { Signature } from "@suite/kit/digest";

/** An approval request, as stored and as shown to people. */
export interface PendingApproval {
  readonly version: 1;
  /**
   * The digest of the call: SHA-256 over run, caller (user and tenant), tool, call id and arguments. A decision names it,
   * so that it applies to exactly this call.
   */
  readonly id: string;
  readonly toolName: string;
  readonly toolCallId: string;
  /** The arguments as set by the option `show`. Absent if they are hidden. */
  readonly arguments?: unknown;
  readonly question: string;
  readonly decisions: readonly ApprovalDecision[];
  /** JSON Schema of edited arguments. */
  readonly argsSchema?: Readonly<Record<string, unknown>>;
  /** True if an approval may also cover later calls of the same user in the session. */
  readonly always: boolean;
  readonly runId: string;
  readonly sessionId?: string;
  readonly userId?: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly signature?: Signature;
}

/** A decision on a request. */
export type Decision =
  | {
      readonly decision: "approve";
      /** True if the decision also covers later calls of the same user in the session, if the tool's rule allows it. */
      readonly always?: boolean;
    }
  | { readonly decision: "edit"; readonly arguments: unknown }
  | { readonly decision: "reject"; readonly message?: string }
  | { readonly decision: "respond"; readonly response: unknown };

/** A person's decision on a request. */
export type PersonDecision = {
  /** The person who decided, for the record. */
  readonly by?: string;
} & Decision;

/** A decision as the store keeps it. */
export type StoredDecision = PersonDecision & {
  readonly version: 1;
  /** The id of the request, which is the digest of the call. */
  readonly request: string;
  /** Milliseconds since the epoch. */
  readonly decidedAt: number;
  readonly expiresAt: number;
  /** Names the message that brought it, so that one that comes twice is known again. */
  readonly delivery?: string;
  readonly signature?: Signature;
};

/** An approval that covers later calls of a user in a session. */
export interface AlwaysGrant {
  readonly version: 1;
  readonly session: string;
  /** The user of the run that asked. If it has none, the grant covers calls without a user. */
  readonly userId?: string;
  readonly toolName: string;
  readonly scope: string;
  readonly by?: string;
  readonly grantedAt: number;
  readonly expiresAt: number;
  readonly signature?: Signature;
}
