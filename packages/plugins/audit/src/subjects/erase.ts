import { name } from "@suite/kit/options";
import type { Log } from "../log/group-commit.js";
import { checkArgument, withMethods } from "../options.js";
import type { AuditRecord } from "../record/record.js";
import type { SubjectKeys } from "./subject-keys.js";

/** The result of an erasure. */
export interface Erasure {
  /** Id of the deleted key, as in records. Absent if the subject had none. */
  readonly kid?: string;
}

/**
 * Erases the content of a subject in a log by deleting its key. This takes effect at once, for all copies of the log.
 * The log itself is unchanged, and still verifies. The start of the erasure and the id of the key are recorded, but not
 * the subject.
 *
 * @throws the errors of the log or the key store. If the first record cannot be written, nothing is erased.
 *
 * @example
 * ```ts
 * const log = await openLog({ dir: "/var/log/agent", signer });
 * await eraseSubject("user-42", fileSubjectKeys({ dir: "/var/lib/agent/subjects" }), log);
 * ```
 */
export async function eraseSubject(subject: string, keys: SubjectKeys, log: Pick<Log, "append">): Promise<Erasure> {
  checkArgument("eraseSubject", "subject", subject, name);
  checkArgument("eraseSubject", "keys", keys, withMethods("erase"));
  checkArgument("eraseSubject", "log", log, withMethods("append"));
  const callId = crypto.randomUUID();
  await log.append(erasureRecord("intent", callId));
  const kid = await keys.erase(subject);
  const erasure: Erasure = kid === undefined ? {} : { kid };
  await log.append(erasureRecord("outcome", callId, erasure));
  return erasure;
}

const erasureRecord = (stage: AuditRecord["stage"], callId: string, done?: Erasure): AuditRecord => ({
  version: 1,
  id: crypto.randomUUID(),
  time: new Date().toISOString(),
  stage,
  type: "erasure",
  operation: "erase_subject",
  callId,
  ...(done && { outcome: { status: "completed" }, details: { ...done } }),
});
