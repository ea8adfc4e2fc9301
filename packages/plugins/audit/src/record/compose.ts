import { type Redactor, type RuntimeContext, redactorOf } from "@suite/core";
import { describe } from "../content/metadata.js";
import { redactJson } from "../content/redaction.js";
import type { Json, JsonObject } from "../json/canonical.js";
import { type Plain, toPlain } from "../json/plain.js";
import type { CompiledPolicy, ContentLevel } from "../policy/policy.js";
import { recordedError } from "./errors.js";
import { type Facts, pendingDetails } from "./facts.js";
import { idsOf, type SpanReader, spanIdsOf, spanOfCall } from "./ids.js";
import type { AuditRecord } from "./record.js";

/** Who the records of a run are of, read once while the run exists. */
export interface Subject {
  readonly runtime: RuntimeContext;
  readonly redactor: Redactor | undefined;
}

export const subjectOf = (runtime: RuntimeContext): Subject => ({ runtime, redactor: redactorOf(runtime) });

/** A record, and about how many bytes it takes. */
export interface Composed {
  readonly record: AuditRecord;
  readonly bytes: number;
}

/** About what a record takes without what was read into it. */
const FRAME_BYTES = 512;

/** What is left of facts when all that needs no redactor is taken away. */
type Told = { readonly [part in "agent" | "target" | "error" | "details" | "content"]?: Json };

/** Makes records of facts: content by the rules, every string but ids through the redactor, nothing unbounded. */
export class Composer {
  readonly #policy: CompiledPolicy;
  readonly #warn: (text: string) => void;
  readonly #span: SpanReader;

  constructor(policy: CompiledPolicy, warn: (text: string) => void, span: SpanReader = spanOfCall) {
    this.#policy = policy;
    this.#warn = warn;
    this.#span = span;
  }

  compose(facts: Facts, { runtime, redactor }: Subject): Composed {
    const level = this.#level(facts, redactor);
    const content = facts.content && level !== "none" ? contentAt(level, facts.content) : undefined;
    const rest = toPlain(unread(facts, runtime, level));
    const told = redacted({ ...(rest.value as JsonObject), ...(content && { content: content.value }) }, redactor);
    const { stage, type, operation, call, decision, ended } = facts;
    const actor = {
      ...pick("agent", told.agent),
      ...idsOf({ agentId: runtime.agent?.id, onBehalfOf: runtime.userId }),
    };
    const target = {
      name: "[left out]",
      ...(told.target as JsonObject | undefined),
      ...idsOf({ id: facts.target?.id }),
    };
    const record = {
      version: 1,
      id: crypto.randomUUID(),
      time: new Date().toISOString(),
      stage,
      type,
      operation,
      ...idsOf({
        runId: runtime.runId,
        sessionId: runtime.sessionId,
        callId: call?.id,
        parentCallId: call?.parent?.id,
      }),
      ...spanIdsOf(this.#span, runtime, call),
      ...(Object.keys(actor).length > 0 && { actor }),
      ...(facts.target && { target }),
      ...pick("decision", decision),
      ...(ended && { outcome: { status: ended.status, ...pick("error", told.error) } }),
      ...pick("details", told.details),
      ...pick("content", told.content),
    };
    return { record: record as AuditRecord, bytes: FRAME_BYTES + rest.size + (content?.size ?? 0) };
  }

  #level(facts: Facts, redactor: Redactor | undefined): ContentLevel {
    const level = this.#policy.content({ type: facts.type, stage: facts.stage, target: facts.target?.name });
    if (redactor || level === "none" || level === "metadata") return level;
    const what =
      level === "full" ? "Content goes into the audit log as it is" : "Only types and sizes go into the audit log";
    this.#warn(`${what}: the policy asks for ${level} content, and no plugin offers a redactor (@suite/pii does).`);
    return level === "full" ? "full" : "metadata";
  }
}

/** All but the content, as it was met. */
function unread({ target, ended, details }: Facts, { agent }: RuntimeContext, level: ContentLevel): object {
  const pending = ended?.status === "suspended" && { pending: pendingDetails(ended.pending) };
  return {
    agent: agent?.name,
    target: target && { ...target, id: undefined },
    error: ended?.status === "failed" && "error" in ended ? recordedError(ended.error, level) : undefined,
    details: details || pending ? { ...details, ...pending } : undefined,
  };
}

function contentAt(level: ContentLevel, content: () => unknown): Plain {
  try {
    const plain = toPlain(content());
    return level === "metadata" ? { value: describe(plain.value), size: 0 } : plain;
  } catch {
    return { value: "[unreadable]", size: 0 };
  }
}

/** A redactor never throws; if one does, nothing that it should have seen is written. */
function redacted(told: JsonObject, redactor: Redactor | undefined): Told {
  if (!redactor) return told;
  try {
    return redactJson(told, redactor) as Told;
  } catch {
    return { details: { redaction: "failed" } };
  }
}

const pick = <V>(key: string, value: V | undefined): object => (value === undefined ? {} : { [key]: value });
