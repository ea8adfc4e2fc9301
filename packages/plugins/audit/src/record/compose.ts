import type { Redactor, RuntimeContext } from "@suite/core";
import type { SpanIds } from "@suite/core/propagation";
import { errorCodeOf } from "@suite/kit/errors";
import type { Json, JsonObject } from "./canonical.js";
import { type Draft, owner as ownerKey } from "./draft.js";
import { type Facts, pendingDetails } from "./facts.js";
import { idOf, type SpanReader, spanIdsOf, spanOfCall } from "./ids.js";
import { type JsonCopy, toJsonCopy } from "./plain.js";
import type { CompiledPolicy, ContentLevel } from "./policy.js";
import type { Actor, RecordedError, RecordedOutcome, Target } from "./record.js";
import { type Redaction, redactJson } from "./redaction.js";
import type { RunFacts } from "./run-facts.js";

/** A record with its estimated size in bytes. */
export interface Composed {
  readonly record: Draft;
  readonly bytes: number;
}

/** Estimated size of a record without the values read into it, in bytes. */
const FRAME_BYTES = 512;

export interface ComposerOptions {
  readonly policy: CompiledPolicy;
  readonly warn: (text: string) => void;
  readonly span?: SpanReader | undefined;
  readonly redact?: Redaction | undefined;
}

/**
 * Creates records from facts. Content follows the rules, every string except ids is redacted, and all sizes are
 * bounded.
 */
export class Composer {
  readonly #policy: CompiledPolicy;
  readonly #warn: (text: string) => void;
  readonly #span: SpanReader;
  readonly #redact: Redaction;

  constructor({ policy, warn, span = spanOfCall, redact = redactJson }: ComposerOptions) {
    this.#policy = policy;
    this.#warn = warn;
    this.#span = span;
    this.#redact = redact;
  }

  compose(facts: Facts, { runtime, redactor, owner }: RunFacts): Composed {
    const level = this.#level(facts, redactor);
    const content = facts.content && level !== "none" ? contentAt(level, facts.content) : undefined;
    const rest = toJsonCopy(unread(facts, runtime, level));
    const read = rest.value as JsonObject;
    const redacted = this.#redacted(content ? { content: content.value, ...read } : read, redactor);
    const record = recordOf(facts, redacted, runtime, spanIdsOf(this.#span, runtime, facts.call));
    if (owner !== undefined) record[ownerKey] = owner;
    return { record, bytes: FRAME_BYTES + rest.size + (content?.size ?? 0) };
  }

  /** Redacts values. A redactor should never throw. If one does, none of the values is written. */
  #redacted(json: JsonObject, redactor: Redactor | undefined): RedactablePart {
    if (!redactor) return json;
    try {
      return this.#redact(json, redactor) as RedactablePart;
    } catch {
      return { details: { redaction: "failed" } };
    }
  }

  #level(facts: Facts, redactor: Redactor | undefined): ContentLevel {
    const level = this.#policy.content({ type: facts.type, stage: facts.stage, target: facts.target?.name });
    if (redactor || level === "none" || level === "metadata") return level;
    const what =
      level === "full"
        ? "Content is written to the audit log unredacted"
        : "Only types and sizes are written to the audit log";
    this.#warn(`${what}: the policy requires ${level} content, but no plugin provides a redactor (@suite/pii does).`);
    return level === "full" ? "full" : "metadata";
  }
}

/** Returns all unredacted facts except the content. */
function unread({ target, ended, details }: Facts, { agent }: RuntimeContext, level: ContentLevel): object {
  const pending = ended?.status === "suspended" && { pending: pendingDetails(ended.pending) };
  const { id: _, ...named } = target ?? {};
  return {
    agent: agent?.name,
    target: target && named,
    error: ended?.status === "failed" && "error" in ended ? recordedError(ended.error, level) : undefined,
    details: details || pending ? { ...details, ...pending } : undefined,
  };
}

function contentAt(level: ContentLevel, content: () => unknown): JsonCopy {
  try {
    const json = toJsonCopy(content());
    return level === "metadata" ? { value: describe(json.value), size: 0 } : json;
  } catch {
    return { value: "[unreadable]", size: 0 };
  }
}

/** The part of a record that must be redacted. */
export type RedactablePart = { readonly [part in "agent" | "target" | "error" | "details" | "content"]?: Json };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Creates the record of facts. `redacted` contains the redacted part. The members are assigned in the order of canonical
 * JSON, for speed: each call creates two records, and spreading optional members or sorting would cost more than
 * everything else here.
 */
function recordOf(
  facts: Facts,
  redacted: RedactablePart,
  runtime: RuntimeContext,
  span: Partial<SpanIds>,
): Writable<Draft> {
  const { call } = facts;
  const record: Partial<Writable<Draft>> = {};
  const actor = actorOf(redacted, runtime);
  if (actor !== undefined) record.actor = actor;
  const callId = idOf(call?.id);
  if (callId !== undefined) record.callId = callId;
  if (redacted.content !== undefined) record.content = redacted.content;
  if (facts.decision !== undefined) record.decision = facts.decision;
  if (redacted.details !== undefined) record.details = redacted.details as JsonObject;
  record.id = crypto.randomUUID();
  record.operation = facts.operation;
  if (facts.ended !== undefined) record.outcome = outcomeOf(redacted, facts.ended.status);
  const parentCallId = idOf(call?.parent?.id);
  if (parentCallId !== undefined) record.parentCallId = parentCallId;
  const runId = idOf(runtime.runId);
  if (runId !== undefined) record.runId = runId;
  const sessionId = idOf(runtime.sessionId);
  if (sessionId !== undefined) record.sessionId = sessionId;
  const spanId = idOf(span.spanId);
  if (spanId !== undefined) record.spanId = spanId;
  record.stage = facts.stage;
  if (facts.target !== undefined) record.target = targetOf(redacted, facts.target.id);
  const tenantId = idOf(runtime.tenantId);
  if (tenantId !== undefined) record.tenantId = tenantId;
  record.time = now();
  const traceId = idOf(span.traceId);
  if (traceId !== undefined) record.traceId = traceId;
  record.type = facts.type;
  record.version = 1;
  return record as Writable<Draft>;
}

let millisecond = Number.NaN;
let written = "";

/**
 * Returns the current time for a record. It is cached per millisecond: a call needs it several times, and formatting
 * costs more than the rest of a record.
 */
function now(): string {
  const time = Date.now();
  if (time !== millisecond) {
    millisecond = time;
    written = new Date(time).toISOString();
  }
  return written;
}

function actorOf({ agent }: RedactablePart, runtime: RuntimeContext): Actor | undefined {
  const agentId = idOf(runtime.agent?.id);
  const onBehalfOf = idOf(runtime.userId);
  if (agent === undefined && agentId === undefined && onBehalfOf === undefined) return undefined;
  const actor: Writable<Actor> = {};
  if (agent !== undefined) actor.agent = agent as string;
  if (agentId !== undefined) actor.agentId = agentId;
  if (onBehalfOf !== undefined) actor.onBehalfOf = onBehalfOf;
  return actor;
}

/** The name is missing if the target was invented or withheld by a redactor. */
function targetOf({ target }: RedactablePart, called: string | undefined): Target {
  const id = idOf(called);
  const named = { name: "[left out]", ...(target as JsonObject | undefined) };
  return id === undefined ? named : Object.assign(named, { id });
}

function outcomeOf({ error }: RedactablePart, status: RecordedOutcome["status"]): RecordedOutcome {
  return error === undefined ? { status } : { status, error: error as unknown as RecordedError };
}

const name = /^[A-Za-z_$][\w$.-]{0,99}$/;
/** A code may begin with a digit, such as an HTTP status or an SQL code. */
const codeForm = /^[\w$][\w$.-]{0,99}$/;
const MAX_MESSAGE = 16 * 1024;

/** Returns the recorded part of any thrown value. The message is content. The stack is never recorded. */
function recordedError(thrown: unknown, level: ContentLevel): RecordedError {
  try {
    return read(thrown, level);
  } catch {
    return { type: "unreadable" };
  }
}

function read(thrown: unknown, level: ContentLevel): RecordedError {
  if (typeof thrown !== "object" || thrown === null) {
    return { type: typeof thrown, ...(typeof thrown === "string" && messageOf(thrown, level)) };
  }
  const error = thrown as { name?: unknown; code?: unknown; message?: unknown };
  const code = typeof error.code === "number" ? error.code : errorCodeOf(error);
  const known = typeof code === "number" ? Number.isFinite(code) : codeForm.test(code ?? "");
  return {
    type: typeof error.name === "string" && name.test(error.name) ? error.name : "Error",
    ...(known && code !== undefined && { code }),
    ...(typeof error.message === "string" && messageOf(error.message, level)),
  };
}

/** Returns the message of an error, never cut: a redactor does not recognise half of an address. */
function messageOf(message: string, level: ContentLevel): { message?: string } {
  if (level === "none" || level === "metadata") return {};
  return { message: message.length > MAX_MESSAGE ? `[${message.length} characters left out]` : message };
}

const MAX_FIELDS = 32;
const MAX_DEPTH = 2;
/** A name from a program: no address or number looks like it. */
const identifier = /^[A-Za-z_][A-Za-z_-]{0,63}$/;

/** Describes a value by types, sizes and names, without its content. */
function describe(value: Json, depth = 0): JsonObject {
  if (value === null) return { type: "null" };
  if (typeof value === "string") return { type: "string", length: value.length };
  if (typeof value !== "object") return { type: typeof value };
  if (Array.isArray(value)) return { type: "array", length: value.length, characters: characters(value) };
  const entries = Object.entries(value as JsonObject);
  if (depth >= MAX_DEPTH) return { type: "object", length: entries.length, characters: characters(value) };
  const named = entries.filter(([name]) => identifier.test(name)).slice(0, MAX_FIELDS);
  const fields = Object.fromEntries(named.map(([name, member]) => [name, describe(member, depth + 1)]));
  const others = entries.length - named.length;
  return { type: "object", fields, ...(others > 0 && { others }) };
}

/** Returns the total length of all strings inside. */
function characters(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + characters(member as Json), 0);
}
