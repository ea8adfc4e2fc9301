/** The kinds of decisions that a person can make. */
type DecisionKind = "approve" | "edit" | "reject" | "respond";

/** The shown fields of a request for a person's approval, as `@suite/approval` stores it. */
export interface ApprovalRequest {
  /** A digest of the call: its run, caller, tool and arguments. A decision names it, so it applies to exactly this call. */
  readonly id: string;
  readonly toolName: string;
  readonly arguments?: unknown;
  readonly question: string;
  readonly decisions: readonly DecisionKind[];
  readonly argsSchema?: unknown;
  /** True if an approval may also apply to later calls of the session. */
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

/** The requests that wait for a person, and the name of that person. */
export interface WaitingRequests {
  readonly by: string;
  readonly waiting: readonly WaitingRequest[];
  /** Requests that could not be read, with the reason. */
  readonly problems: readonly string[];
}

/** A person's decision, as sent to the viewer. */
export interface Decision {
  readonly decision: DecisionKind;
  readonly always?: boolean;
  readonly arguments?: unknown;
  readonly message?: string;
  readonly response?: unknown;
}
