import { any, type Check, callable } from "@suite/core/options";
import { AuditError } from "../errors.js";
import type { Sink } from "../log/delivery/sink.js";
import { checkOptions, object } from "../options.js";
import type { SpanReader } from "../record/ids.js";
import type { AuditPolicy } from "../record/policy.js";
import type { SubjectOf } from "../record/run-facts.js";
import type { ValueKey } from "../record/value-key.js";
import type { SubjectKeys } from "../subjects/subject-keys.js";

/** The options of `audit`. All of them have a default. */
export interface AuditOptions {
  /** The sink that records go to. Default: `fileSink({ dir: ".suite/audit" })`, under the working directory. */
  readonly sink?: Sink;
  /** The policy: how much is recorded, and what happens when it cannot be. */
  readonly policy?: AuditPolicy;
  /** The time that a required record, and `close`, may take, in milliseconds. Default 5000. */
  readonly timeoutMs?: number;
  /** The bytes of records that may wait in memory: so many that are required, and so many others. Default 16 MiB. */
  readonly bufferBytes?: number;
  /**
   * Makes what redactors find stand in records as `hmac-sha256:<kid>:…`, so that it can be searched for. Default: what the
   * redactor puts there stays. See README, "Values".
   */
  readonly valueKey?: ValueKey;
  /** Encrypts what is personal in a record under a key of its subject, so that it can be erased. See README, "Subjects". */
  readonly subjects?: SubjectKeys;
  /** The subject whose content the records of a run hold, where they are encrypted. Default: the run's user. */
  readonly subjectOf?: SubjectOf;
  /** Tells which span a call has, so that its records name it. Default: what `@suite/tracing` has filed in the run. */
  readonly span?: SpanReader;
  /** Gets each warning once. Default: `process.emitWarning`. */
  readonly warn?: (text: string) => void;
}

/** The default directory, under the working directory. */
export const DEFAULT_DIR = ".suite/audit";

const checks: { readonly [option in keyof Required<AuditOptions>]: Check } = {
  sink: object,
  policy: object,
  timeoutMs: any,
  bufferBytes: any,
  valueKey: object,
  subjects: object,
  subjectOf: callable,
  span: callable,
  warn: callable,
};
const policyChecks: { readonly [option in keyof Required<AuditPolicy>]: Check } = { content: any, delivery: any };

/**
 * Checks that all options are ones there are: a log that somebody believes to hold more than it does is found too late.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`
 */
export function checkAuditOptions(options: AuditOptions): void {
  options = checkOptions("audit", options, checks);
  if (options.policy !== undefined) checkOptions("policy of audit", options.policy, policyChecks);
}

/** @throws AuditError `ERR_AUDIT_INVALID_OPTION` */
export function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new AuditError("ERR_AUDIT_INVALID_OPTION", `audit({ ${name} }) must be a number above 0.`);
}

/** Says each thing once. */
export function once(warn: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    said.add(text);
    warn(text);
  };
}
