import type { RuntimeContext, SpanIds } from "@suite/core";
import type { Json, JsonObject } from "./canonical.js";
import type { Draft } from "./draft.js";
import type { Facts } from "./facts.js";
import { idOf } from "./ids.js";
import type { Actor, RecordedError, RecordedOutcome, Target } from "./record.js";

/** The part of facts that is left when all that needs no redactor is taken away. */
export type Told = { readonly [part in "agent" | "target" | "error" | "details" | "content"]?: Json };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The record of facts, of which `told` is what a redactor has seen. Made by assignment, and in the order of canonical JSON:
 * each call makes two, and spreading what may be missing, or sorting, costs more than all else here.
 */
export function recordOf(facts: Facts, told: Told, runtime: RuntimeContext, span: Partial<SpanIds>): Writable<Draft> {
  const { call } = facts;
  const record: Partial<Writable<Draft>> = {};
  const actor = actorOf(told, runtime);
  if (actor !== undefined) record.actor = actor;
  const callId = idOf(call?.id);
  if (callId !== undefined) record.callId = callId;
  if (told.content !== undefined) record.content = told.content;
  if (facts.decision !== undefined) record.decision = facts.decision;
  if (told.details !== undefined) record.details = told.details as JsonObject;
  record.id = crypto.randomUUID();
  record.operation = facts.operation;
  if (facts.ended !== undefined) record.outcome = outcomeOf(told, facts.ended.status);
  const parentCallId = idOf(call?.parent?.id);
  if (parentCallId !== undefined) record.parentCallId = parentCallId;
  const runId = idOf(runtime.runId);
  if (runId !== undefined) record.runId = runId;
  const sessionId = idOf(runtime.sessionId);
  if (sessionId !== undefined) record.sessionId = sessionId;
  const spanId = idOf(span.spanId);
  if (spanId !== undefined) record.spanId = spanId;
  record.stage = facts.stage;
  if (facts.target !== undefined) record.target = targetOf(told, facts.target.id);
  record.time = new Date().toISOString();
  const traceId = idOf(span.traceId);
  if (traceId !== undefined) record.traceId = traceId;
  record.type = facts.type;
  record.version = 1;
  return record as Writable<Draft>;
}

function actorOf({ agent }: Told, runtime: RuntimeContext): Actor | undefined {
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
function targetOf({ target }: Told, called: string | undefined): Target {
  const id = idOf(called);
  const named = { name: "[left out]", ...(target as JsonObject | undefined) };
  return id === undefined ? named : Object.assign(named, { id });
}

function outcomeOf({ error }: Told, status: RecordedOutcome["status"]): RecordedOutcome {
  return error === undefined ? { status } : { status, error: error as unknown as RecordedError };
}
