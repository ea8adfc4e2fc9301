import type { RuntimeContext, SpanIds } from "@suite/core";
import type { Json, JsonObject } from "../json/canonical.js";
import type { Draft } from "./draft.js";
import type { Facts } from "./facts.js";
import { idOf } from "./ids.js";
import type { Actor, RecordedError, RecordedOutcome, Target } from "./record.js";

/** What is left of facts when all that needs no redactor is taken away. */
export type Told = { readonly [part in "agent" | "target" | "error" | "details" | "content"]?: Json };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

// Records are made by assignment: each call makes two, and spreading what may be missing costs more than all else here.

/** A record of what needs no redactor: what it is about, and ids. */
export function frameOf(facts: Facts, runtime: RuntimeContext, span: Partial<SpanIds>): Writable<Draft> {
  const { stage, type, operation, call } = facts;
  const record: Writable<Draft> = {
    version: 1,
    id: crypto.randomUUID(),
    time: new Date().toISOString(),
    stage,
    type,
    operation,
  };
  const runId = idOf(runtime.runId);
  if (runId !== undefined) record.runId = runId;
  const sessionId = idOf(runtime.sessionId);
  if (sessionId !== undefined) record.sessionId = sessionId;
  const callId = idOf(call?.id);
  if (callId !== undefined) record.callId = callId;
  const parentCallId = idOf(call?.parent?.id);
  if (parentCallId !== undefined) record.parentCallId = parentCallId;
  const traceId = idOf(span.traceId);
  if (traceId !== undefined) record.traceId = traceId;
  const spanId = idOf(span.spanId);
  if (spanId !== undefined) record.spanId = spanId;
  return record;
}

export function actorOf({ agent }: Told, runtime: RuntimeContext): Actor | undefined {
  const agentId = idOf(runtime.agent?.id);
  const onBehalfOf = idOf(runtime.userId);
  if (agent === undefined && agentId === undefined && onBehalfOf === undefined) return undefined;
  const actor: Writable<Actor> = {};
  if (agent !== undefined) actor.agent = agent as string;
  if (agentId !== undefined) actor.agentId = agentId;
  if (onBehalfOf !== undefined) actor.onBehalfOf = onBehalfOf;
  return actor;
}

/** A target without a name was made up, or withheld by a redactor. */
export function targetOf({ target }: Told, called: string | undefined): Target {
  const id = idOf(called);
  const named = { name: "[left out]", ...(target as JsonObject | undefined) };
  return id === undefined ? named : Object.assign(named, { id });
}

export function outcomeOf({ error }: Told, status: RecordedOutcome["status"]): RecordedOutcome {
  return error === undefined ? { status } : { status, error: error as unknown as RecordedError };
}
