import { checkArgument, object, withMethods } from "../options.js";
import type { AuditRecord } from "../record/record.js";
import { encryptedOf, unseal } from "./sealed.js";
import type { SubjectKeys } from "./subject-keys.js";

/**
 * The record in clear: content, the error's message and the user's id as they were. As it is stored, with
 * `content.encrypted`, where its key was erased; the record itself where nothing is encrypted.
 *
 * @throws AuditError `ERR_AUDIT_DECRYPTION_FAILED` where the key is there and does not open it; what the key store throws
 * @example
 * ```ts
 * const { content } = await decryptContent(record, fileSubjectKeys({ dir: "/var/lib/agent/subjects" }));
 * ```
 */
export async function decryptContent(record: AuditRecord, keys: SubjectKeys): Promise<AuditRecord> {
  checkArgument("decryptContent", "record", record, object);
  checkArgument("decryptContent", "keys", keys, withMethods("find"));
  const encrypted = encryptedOf(record);
  const key = encrypted && (await keys.find(encrypted.kid));
  return encrypted && key ? unseal(record, encrypted, key) : record;
}
