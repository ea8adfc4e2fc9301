import { checkArgument, object, withMethods } from "../options.js";
import type { AuditRecord } from "../record/record.js";
import { encryptedOf, unseal } from "./sealed.js";
import type { SubjectKeys } from "./subject-keys.js";

/**
 * Decrypts a record: its content, the error's message and the user's id. Returns the stored record, with
 * `content.encrypted`, if its key was erased. Returns the record itself if nothing is encrypted.
 *
 * @throws AuditError `ERR_AUDIT_DECRYPTION_FAILED` if the key exists but does not decrypt it; the errors of the key
 * store
 *
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
