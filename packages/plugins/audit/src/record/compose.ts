import type { Redactor, RuntimeContext } from "@suite/core";
import type { JsonObject } from "./canonical.js";
import { type Draft, owner as ownerKey } from "./draft.js";
import { recordedError } from "./errors.js";
import { type Facts, pendingDetails } from "./facts.js";
import { recordOf, type Told } from "./frame.js";
import { type SpanReader, spanIdsOf, spanOfCall } from "./ids.js";
import { describe } from "./metadata.js";
import { type Plain, toPlain } from "./plain.js";
import type { CompiledPolicy, ContentLevel } from "./policy.js";
import { type Redaction, redactJson } from "./redaction.js";
import type { RunFacts } from "./run-facts.js";

/** A record, and about how many bytes it takes. */
export interface Composed {
  readonly record: Draft;
  readonly bytes: number;
}

/** The size of a record without what was read into it, about. */
const FRAME_BYTES = 512;

export interface ComposerOptions {
  readonly policy: CompiledPolicy;
  readonly warn: (text: string) => void;
  readonly span?: SpanReader | undefined;
  readonly redact?: Redaction | undefined;
}

/** Makes records of facts: content by the rules, every string but ids through the redactor, nothing unbounded. */
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
    const rest = toPlain(unread(facts, runtime, level));
    const read = rest.value as JsonObject;
    const told = this.#redacted(content ? { content: content.value, ...read } : read, redactor);
    const record = recordOf(facts, told, runtime, spanIdsOf(this.#span, runtime, facts.call));
    if (owner !== undefined) record[ownerKey] = owner;
    return { record, bytes: FRAME_BYTES + rest.size + (content?.size ?? 0) };
  }

  /** A redactor never throws; if one does, nothing that it should have seen is written. */
  #redacted(told: JsonObject, redactor: Redactor | undefined): Told {
    if (!redactor) return told;
    try {
      return this.#redact(told, redactor) as Told;
    } catch {
      return { details: { redaction: "failed" } };
    }
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
  const { id: _, ...named } = target ?? {};
  return {
    agent: agent?.name,
    target: target && named,
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
