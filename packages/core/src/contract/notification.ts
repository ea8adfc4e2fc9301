import type { CallId, Pending } from "./call.js";

/** Something that happened beside the call path. Spans, records and logs are made of it; nothing can be changed by it. */
export type Notification =
  | GuardrailNotification
  | ApprovalNotification
  | ExternalResultNotification
  | LimitNotification
  | SuspensionNotification
  | FaultNotification;

/** A guard decided. */
export interface GuardrailNotification {
  readonly type: "guardrail";
  readonly plugin: string;
  readonly call?: CallId;
  /** Where it looked. */
  readonly place: "input" | "output" | "system_prompt" | "tool_arguments" | "tool_result" | "human_input" | "error";
  readonly decision: "modify" | "block" | "fail_open" | "fail_closed";
  /** False in monitor mode: what it would have done. */
  readonly enforced: boolean;
  /** How often each type was found. Never values. */
  readonly findings?: Readonly<Record<string, number>>;
}

/** A person, or a rule in their place, decided on a tool call. */
export interface ApprovalNotification {
  readonly type: "approval";
  readonly call?: CallId;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly decision: "approved" | "edited" | "rejected" | "expired";
  readonly by?: string;
}

/** The validated outcome of a tool call that ran elsewhere. Each is told once. */
export interface ExternalResultNotification {
  readonly type: "external_result";
  readonly call?: CallId;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly outcome: "completed" | "failed" | "cancelled" | "denied" | "expired";
  readonly response?: unknown;
  /** Milliseconds since the epoch: when the call was handed out, and when its outcome came. */
  readonly handedOutAt: number;
  readonly returnedAt: number;
}

/** A limit was reached. */
export interface LimitNotification {
  readonly type: "limit";
  readonly call?: CallId;
  /** Such as `rounds`. */
  readonly limit: string;
  readonly maximum: number;
}

/** The run was suspended, or goes on. */
export interface SuspensionNotification {
  readonly type: "suspension" | "resume";
  readonly call?: CallId;
  readonly pending: readonly Pending[];
}

/** Something threw where nothing may be disturbed: a `settle`, an `observe`, a `close`. */
export interface FaultNotification {
  readonly type: "fault";
  readonly call?: CallId;
  readonly where: string;
  readonly error: unknown;
}
