import type { Usage } from "../messages/message.js";
import type { CallId, Kind, Request, SpanIds } from "./kinds.js";
import type { Settlement } from "./outcome.js";
import type { Pending } from "./suspension.js";

/** An event outside the call path. Spans, records and logs are made from it. It cannot change anything. */
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

/** A plugin's decision: its result, place and reason. Never content or a user's value. */
export interface Decided {
  /** The plugin's name. */
  readonly plugin: string;
  readonly call?: CallId;
  /** True if the decision was enforced. False in monitor mode, which only reports it. */
  readonly enforced: boolean;
  /** The checked place or the subject of the decision: a place of a guard, a tool, a store. */
  readonly place?: string;
  /** The reason, in a few words for people. */
  readonly reason?: string;
  /** Facts about the decision: up to sixteen, each a number, a boolean or a short string. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * A decision of any kind: an answer from a cache, a tool selection, a fallback, a wait for a limit, a failed store and
 * the consequence. Tracing and audit record it without knowing the plugin.
 *
 * @example
 * ```ts
 * runtime.notify({ type: "decision", plugin: "cache", decision: "hit", enforced: true, call, details: { age: 1200 } });
 * ```
 */
export interface DecisionNotification extends Decided {
  readonly type: "decision";
  /** The decision, one of the plugin's fixed words: `hit`, `fallback`, `wait`, … */
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
  /** The number of findings per type. Never values. */
  readonly findings?: Readonly<Record<string, number>>;
}

/** A limit that was reached. Without `plugin` it is a limit of the agent. */
export interface LimitNotification extends Partial<Decided> {
  readonly type: "limit";
  /** The limit, such as `rounds`. */
  readonly limit: string;
  readonly maximum: number;
}

/**
 * A decision on a tool call, by a person or a rule. `responded`: the person's response replaces the result, and the
 * tool did not run. `answered`: the person answered the tool's question, and the tool continues.
 */
export interface ApprovalNotification {
  readonly type: "approval";
  readonly call?: CallId;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly decision: "approved" | "edited" | "rejected" | "responded" | "answered" | "expired";
  readonly by?: string;
}

/** The validated outcome of a tool call that ran elsewhere. Reported once per call. */
export interface ExternalResultNotification {
  readonly type: "external_result";
  readonly call?: CallId;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly outcome: "completed" | "failed" | "cancelled" | "denied" | "expired";
  readonly response?: unknown;
  /** Milliseconds since the epoch: when the call was handed out, and when its outcome arrived. */
  readonly handedOutAt: number;
  readonly returnedAt: number;
  /**
   * Milliseconds since the epoch: when the tool began and ended, if its result contains that. Measured by the tool's
   * clock, so the times may lie outside the range above.
   */
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** The run was suspended or resumed. */
export interface SuspensionNotification {
  readonly type: "suspension" | "resume";
  readonly call?: CallId;
  readonly pending: readonly Pending[];
}

/**
 * An attempt that was replaced: a layer called `callNext` again, or answered itself after the attempt had failed.
 * Reported at that moment, and only to plugins that cannot see it: those whose layers are not inside the repeating one.
 * The last attempt is the call itself and is not reported.
 */
export interface AttemptNotification {
  readonly type: "attempt";
  readonly call: CallId;
  /** The number of the attempt, from 1: how often the innermost call had been entered. */
  readonly attempt: number;
  /** The request of the innermost call. */
  readonly request: Request<Kind>;
  /** The settlement of the attempt. `cancelled` if its answer was not read. */
  readonly settlement: Settlement<unknown>;
  /** True if the attempt answered with `isError`. */
  readonly isError?: true;
  /** The usage of a model call, if its answer contains it. */
  readonly usage?: Usage;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A tool call that was undone after its run failed, or whose undo failed. */
export interface UndoNotification {
  readonly type: "undo";
  /** The call within which it was undone, if any. */
  readonly call?: CallId;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly outcome: "completed" | "failed";
  /** The error of an undo that failed. */
  readonly error?: unknown;
  /** Milliseconds since the epoch: the begin of the undone call, and the begin and end of its undo. */
  readonly calledAt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The span of the undone call, as a link target. */
  readonly span?: SpanIds;
}

/** An error in a place that must not disturb the run: a `settle`, an `observe`, a `close`. */
export interface FaultNotification {
  readonly type: "fault";
  readonly call?: CallId;
  readonly where: string;
  readonly error: unknown;
}
