/** The kinds of decisions that a person can make. */
type DecisionKind = "approve" | "edit" | "reject" | "respond";

/** The shown fields of a request for a person's approval, as `@suite/approval` stores it. */
export interface ApprovalRequest {
  readonly id: string;
  /** A hash of the tool, the call and its arguments: a decision is on just these. */
  readonly digest: string;
  readonly toolName: string;
  readonly arguments?: unknown;
  readonly question: string;
  readonly decisions: readonly DecisionKind[];
  readonly argsSchema?: unknown;
  /** Whether an approval may hold for later calls of the session, too. */
  readonly always: boolean;
  readonly sessionId?: string;
  readonly userId?: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** A waiting request, and the trace that contains it. */
export interface WaitingRequest {
  readonly request: ApprovalRequest;
  readonly traceId: string;
}

/** The requests that wait for a person, and the name under which that person decides here. */
export interface WaitingRequests {
  readonly by: string;
  readonly waiting: readonly WaitingRequest[];
  /** Requests that could not be read, and why. */
  readonly problems: readonly string[];
}

/** A person's decision, as it is sent to the viewer. */
export interface Decision {
  /** The digest of the request that the person saw. */
  readonly digest: string;
  readonly decision: DecisionKind;
  readonly always?: boolean;
  readonly arguments?: unknown;
  readonly message?: string;
  readonly response?: unknown;
}
