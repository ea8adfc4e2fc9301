import { type Redactor, type RuntimeContext, redactorOf } from "@suite/core";
import { AuditError } from "../errors.js";

/** The facts that all records of a run share, read once while the run exists. */
export interface RunFacts {
  readonly runtime: RuntimeContext;
  readonly redactor: Redactor | undefined;
  /** The owner whose key encrypts personal data, or the reason why it is unknown. */
  readonly owner: string | AuditError | undefined;
}

/**
 * Returns the subject of the content in a run's records. Returns `undefined` for no subject; then nothing is encrypted.
 */
export type SubjectOf = (runtime: RuntimeContext) => string | undefined;

export const userOf: SubjectOf = ({ userId }) => userId;

export function runFactsOf(runtime: RuntimeContext, subjectOf: SubjectOf | undefined): RunFacts {
  return { runtime, redactor: redactorOf(runtime), owner: subjectOf && ownerOf(runtime, subjectOf) };
}

/** Returns an error if the subject cannot be read. Such a record must not be written unencrypted. */
function ownerOf(runtime: RuntimeContext, subjectOf: SubjectOf): string | AuditError | undefined {
  try {
    const subject = subjectOf(runtime);
    return subject === "" ? undefined : subject;
  } catch (cause) {
    const message = "The subject of a record is unknown because subjectOf threw. Its content is not recorded.";
    return new AuditError("ERR_AUDIT_INVALID_RECORD", message, { cause });
  }
}
