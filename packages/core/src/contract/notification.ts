import type { Usage } from "../messages/message.js";
import type { CallId, Kind, Request, SpanIds } from "./kinds.js";
import type { Settlement } from "./outcome.js";
import type { Pending } from "./suspension.js";

/** Something that happened beside the call path. Spans, records and logs are made of it; nothing can be changed by it. */
export type Notification =
  | DecisionNotification
  | GuardrailNotification
  | LimitNotification
  | ApprovalNotification
  | ExternalResultNotification
  | SuspensionNotification
  | AttemptNotification
  | UndoNotification
  | FaultNotification;

/** A plugin's decision: what it decided, where and why. Never content, and no value of a user's. */
export interface Decided {
  /** The plugin's name. */
  readonly plugin: string;
  readonly call?: CallId;
  /** Whether it was enforced: false in monitor mode, where it tells what would have been done. */
  readonly enforced: boolean;
  /** The place where it looked, or what it decided on: a place of a guard, a tool, a store. */
  readonly place?: string;
  /** The reason, in a few words for people. */
  readonly reason?: string;
  /** Facts about it: up to sixteen, each a number, a boolean or a short string. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * A decision of any kind: an answer from a cache, a tool selection, a fallback, a wait for a limit, a store that failed
 * and what followed. Tracing and audit write it without knowing the plugin.
 *
 * @example
 * ```ts
 * runtime.notify({ type: "decision", plugin: "cache", decision: "hit", enforced: true, call, details: { age: 1200 } });
 * ```
 */
export interface DecisionNotification extends Decided {
  readonly type: "decision";
  /** The decision in the plugin's own closed words: `hit`, `fallback`, `wait`, … */
  readonly decision: string;
}

/** A guard's decision. */
export interface GuardrailNotification extends Decided {
  readonly type: "guardrail";
  readonly place:
    | "input"
    | "output"
    | "system_prompt"
    | "tool_arguments"
    | "tool_result"
    | "human_input"
    | "embedding"
    | "retrieval"
    | "memory"
    | "error"
    | (string & {});
  readonly decision: "modify" | "block" | "fail_open" | "fail_closed";
  /** The number of findings of each type. Never values. */
  readonly findings?: Readonly<Record<string, number>>;
}

/** A limit that was reached. Without a plugin it is one of the agent itself. */
export interface LimitNotification extends Partial<Decided> {
  readonly type: "limit";
  /** The limit, such as `rounds`. */
  readonly limit: string;
  readonly maximum: number;
}

/**
 * A decision of a person, or of a rule in their place, on a tool call. `responded`: what they said is the result, the tool
 * was not run. `answered`: they answered what the tool asked while it ran, and it goes on.
 */
export interface ApprovalNotification {
  readonly type: "approval";
  readonly call?: CallId;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly decision: "approved" | "edited" | "rejected" | "responded" | "answered" | "expired";
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
  /**
   * Milliseconds since the epoch: when the tool began and ended, where its result tells: by the clock it ran under, so
   * maybe outside of the above.
   */
  readonly startedAt?: number;
  readonly endedAt?: number;
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
  /** The number of the attempt, from 1: how often the innermost call had been entered. */
  readonly attempt: number;
  /** The request of the innermost call. */
  readonly request: Request<Kind>;
  /** The settlement of the attempt; `cancelled` where its answer was not read. */
  readonly settlement: Settlement<unknown>;
  /** True where its answer was one of failure. */
  readonly isError?: true;
  /** The usage of a model call, where its answer told it. */
  readonly usage?: Usage;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A tool call that was undone after its run had failed, or that could not be. */
export interface UndoNotification {
  readonly type: "undo";
  /** The call within which it was undone, where there is one. */
  readonly call?: CallId;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly outcome: "completed" | "failed";
  /** The error of an undo that failed. */
  readonly error?: unknown;
  /** The begin of the undone call, and the begin and end of its undo: milliseconds since the epoch. */
  readonly calledAt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The span of the undone call: telemetry links to it. */
  readonly span?: SpanIds;
}

/** Something threw where nothing may be disturbed: a `settle`, an `observe`, a `close`. */
export interface FaultNotification {
  readonly type: "fault";
  readonly call?: CallId;
  readonly where: string;
  readonly error: unknown;
}
