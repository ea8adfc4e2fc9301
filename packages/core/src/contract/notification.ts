import type { Usage } from "../messages/message.js";
import type { CallId, Pending } from "./call.js";
import type { Kind, Request } from "./kinds.js";
import type { Settlement } from "./outcome.js";

/** Something that happened beside the call path. Spans, records and logs are made of it; nothing can be changed by it. */
export type Notification =
  | GuardrailNotification
  | ApprovalNotification
  | ExternalResultNotification
  | LimitNotification
  | SuspensionNotification
  | AttemptNotification
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
  /** The same for when the tool ran, where its result tells: by the clock it ran under, so maybe outside of the above. */
  readonly startedAt?: number;
  readonly endedAt?: number;
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

/**
 * An attempt of a call that another took the place of: a layer called `callNext` again, or answered by itself after it
 * had failed. Told when that happens, and only to plugins which cannot see it: not to those whose layers are inside the
 * one that asked again. The last attempt is the call's own, and is not told.
 */
export interface AttemptNotification {
  readonly type: "attempt";
  readonly call: CallId;
  /** From 1: how often the innermost call had been entered. */
  readonly attempt: number;
  /** What the innermost call was asked. */
  readonly request: Request<Kind>;
  /** How it ended; `cancelled` where its answer was not read. */
  readonly settlement: Settlement<unknown>;
  /** What a model call used, where its answer told it. */
  readonly usage?: Usage;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Something threw where nothing may be disturbed: a `settle`, an `observe`, a `close`. */
export interface FaultNotification {
  readonly type: "fault";
  readonly call?: CallId;
  readonly where: string;
  readonly error: unknown;
}
