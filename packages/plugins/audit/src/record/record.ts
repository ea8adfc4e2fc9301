import type { Kind } from "@suite/core";
import type { Json, JsonObject } from "./canonical.js";
import type { noticeTypes } from "./notice-types.js";

/**
 * The stage of a record: written before an act (`intent`), or when it is known how it ended (`outcome`). What has no
 * duration is an outcome.
 */
export type RecordStage = "intent" | "outcome";

/** The kinds of call that are recorded: all but a round, whose model and tool calls are, and a compression, whose model call is. */
export type ActKind = Exclude<Kind, "reasoning" | "compressContext">;

/** A name in snake case: `human_input` for `humanInput`. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : "";

/** The type of a record: a kind of call in snake case, or what else it is about. */
export type RecordType = Snake<ActKind> | (typeof noticeTypes)[number];

/** The actor of what a record tells: the agent, and the user it acted for. */
export interface Actor {
  readonly agent?: string;
  readonly agentId?: string;
  /** The user of the run. An id: it is stored as given, or, where records are encrypted, as the id of the subject's key. */
  readonly onBehalfOf?: string;
}

/** The target that was acted on: a tool, a model, a guard, a limit. */
export interface Target {
  readonly name: string;
  /** The model's id of a tool call. */
  readonly id?: string;
  readonly provider?: string;
  readonly server?: string;
}

/** The outcome: how it ended. */
export interface RecordedOutcome {
  readonly status: "completed" | "failed" | "cancelled" | "suspended";
  readonly error?: RecordedError;
}

/** The error that was thrown. The message is content: it is there under the content rules only. Never a stack. */
export interface RecordedError {
  readonly type: string;
  readonly code?: string | number;
  readonly message?: string;
}

/** The record that the plugin writes: one line of the log. */
export interface AuditRecord {
  readonly version: 1;
  /** A random UUID. One that stands twice was written again after a failed sync. */
  readonly id: string;
  /** ISO 8601, UTC. Information: the order is the index. */
  readonly time: string;
  readonly stage: RecordStage;
  readonly type: RecordType;
  /** `invoke_agent`, `chat`, `execute_tool` as OpenTelemetry names them, or what a notification is about. */
  readonly operation: string;
  readonly runId?: string;
  readonly sessionId?: string;
  readonly tenantId?: string;
  /** Intent and outcome of one act share it; an attempt that is made again has it again. */
  readonly callId?: string;
  readonly parentCallId?: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly actor?: Actor;
  readonly target?: Target;
  readonly decision?: string;
  readonly outcome?: RecordedOutcome;
  /** Facts that are not content: counts, limits, times. */
  readonly details?: JsonObject;
  /**
   * The content: what was said, asked or answered, as far as the content rules allow; `{ encrypted }` where there is a
   * subject.
   */
  readonly content?: Json;
}
