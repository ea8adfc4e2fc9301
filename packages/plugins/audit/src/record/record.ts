import type { Kind } from "@suite/core";
import type { Json, JsonObject } from "./canonical.js";
import type { noticeTypes } from "./notice-types.js";

/**
 * The stage of a record: written before an act (`intent`), or when its result is known (`outcome`). A record without a
 * duration is an outcome.
 */
export type RecordStage = "intent" | "outcome";

/**
 * The recorded kinds of call: all except a round, whose model and tool calls are recorded, and a compression, whose
 * model call is recorded.
 */
export type ActKind = Exclude<Kind, "reasoning" | "compressContext">;

/** A name in snake case: `human_input` for `humanInput`. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : "";

/** The type of a record: a kind of call in snake case, or a type of notice. */
export type RecordType = Snake<ActKind> | (typeof noticeTypes)[number];

/** The actor of a record: the agent, and the user that it acted for. */
export interface Actor {
  readonly agent?: string;
  readonly agentId?: string;
  /** The user of the run. The id is stored unchanged or, if records are encrypted, as the id of the subject's key. */
  readonly onBehalfOf?: string;
}

/** The target of an act: a tool, a model, a guard, a limit. */
export interface Target {
  readonly name: string;
  /** The model's id of a tool call. */
  readonly id?: string;
  readonly provider?: string;
  readonly server?: string;
}

/** The outcome of an act. */
export interface RecordedOutcome {
  readonly status: "completed" | "failed" | "cancelled" | "suspended";
  readonly error?: RecordedError;
}

/**
 * The error that was thrown. The message is content and is recorded only by the content rules. The stack is never
 * recorded.
 */
export interface RecordedError {
  readonly type: string;
  readonly code?: string | number;
  readonly message?: string;
}

/** A record of the plugin: one line of the log. */
export interface AuditRecord {
  readonly version: 1;
  /** A random UUID. A duplicate was written again after a failed sync. */
  readonly id: string;
  /** ISO 8601, UTC. For information only: the index defines the order. */
  readonly time: string;
  readonly stage: RecordStage;
  readonly type: RecordType;
  /** `invoke_agent`, `chat`, `execute_tool` as named by OpenTelemetry, or the subject of a notification. */
  readonly operation: string;
  readonly runId?: string;
  readonly sessionId?: string;
  readonly tenantId?: string;
  /** The intent and the outcome of one act share it, and so do its repeated attempts. */
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
   * The content of a request or an answer, as far as the content rules allow. `{ encrypted }` if there is a subject.
   */
  readonly content?: Json;
}
