import { type Redactor, type RuntimeContext, redactorOf } from "@suite/core";
import { AuditError } from "../errors.js";

/** The facts that all records of a run have in common, read once while the run exists. */
export interface RunFacts {
  readonly runtime: RuntimeContext;
  readonly redactor: Redactor | undefined;
  /** The owner under whose key what is personal is encrypted, or why that is not known. */
  readonly owner: string | AuditError | undefined;
}

/** Tells whose content the records of a run hold. Undefined: of nobody; it is not encrypted. */
export type SubjectOf = (runtime: RuntimeContext) => string | undefined;

export const userOf: SubjectOf = ({ userId }) => userId;

export function runFactsOf(runtime: RuntimeContext, subjectOf: SubjectOf | undefined): RunFacts {
  return { runtime, redactor: redactorOf(runtime), owner: subjectOf && ownerOf(runtime, subjectOf) };
}

/** Never in clear for want of a subject: such a record cannot be written. */
function ownerOf(runtime: RuntimeContext, subjectOf: SubjectOf): string | AuditError | undefined {
  try {
    const subject = subjectOf(runtime);
    return subject === "" ? undefined : subject;
  } catch (cause) {
    const message = "Whose record it is cannot be told: subjectOf has thrown. What it is about is not recorded.";
    return new AuditError("ERR_AUDIT_INVALID_RECORD", message, { cause });
  }
}
