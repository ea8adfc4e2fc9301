import { any, type Check, callable } from "@suite/kit/options";
import { AuditError } from "../errors.js";
import type { Sink } from "../log/delivery/sink.js";
import { checkOptions, object } from "../options.js";
import type { SpanReader } from "../record/ids.js";
import type { AuditPolicy } from "../record/policy.js";
import type { SubjectOf } from "../record/run-facts.js";
import type { ValueKey } from "../record/value-key.js";
import type { SubjectKeys } from "../subjects/subject-keys.js";

/** The options of `audit`. All have a default. */
export interface AuditOptions {
  /** The sink for records. Default: `fileSink({ dir: ".suite/audit" })`, under the working directory. */
  readonly sink?: Sink;
  /** The policy: the recorded amount, and the behaviour if a record cannot be written. */
  readonly policy?: AuditPolicy;
  /** Timeout of a required record and of `close`, in milliseconds. Default 5000. */
  readonly timeoutMs?: number;
  /** Maximum bytes of waiting records in memory, separately for required and other records. Default 16 MiB. */
  readonly bufferBytes?: number;
  /**
   * Replaces values found by redactors with `hmac-sha256:<kid>:…` in records, so that they can be searched for.
   * Default: the redactor's replacement stays. See README, "Search for redacted values".
   */
  readonly valueKey?: ValueKey;
  /**
   * Encrypts personal data in a record under a key of its subject, so that it can be erased. See README, "Encrypt and
   * erase a person's data".
   */
  readonly subjects?: SubjectKeys;
  /** Returns the subject of the content in a run's records, if they are encrypted. Default: the run's user. */
  readonly subjectOf?: SubjectOf;
  /** Returns the span of a call for its records. Default: the span that `@suite/tracing` has registered. */
  readonly span?: SpanReader;
  /** Receives each warning once. Default: `process.emitWarning`. */
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
 * Rejects unknown options: otherwise a log that contains less than expected is noticed too late.
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

/** Wraps a warning function so that it is called once per message. */
export function once(warn: (text: string) => void): (text: string) => void {
  const printed = new Set<string>();
  return (text) => {
    if (printed.has(text)) return;
    printed.add(text);
    warn(text);
  };
}
