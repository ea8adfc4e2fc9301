import { AuditError } from "../errors.js";
import type { JsonObject } from "../record/canonical.js";
import type { AuditRecord } from "../record/record.js";
import { decryptContent } from "../subjects/decrypt.js";
import type { SubjectKeys } from "../subjects/subject-keys.js";
import type { Found } from "./found.js";
import { summaryOf } from "./summary.js";

/**
 * Decrypts records with the available keys. A record whose key was erased stays encrypted. A record that its key does
 * not decrypt also does, and is reported to `onError`.
 */
export async function* decrypted(
  records: AsyncIterable<Found>,
  keys: SubjectKeys,
  onError: (error: AuditError) => void,
): AsyncGenerator<Found> {
  for await (const found of records) {
    try {
      yield await inClear(found, keys);
    } catch (error) {
      if (!AuditError.is(error) || error.code !== "ERR_AUDIT_DECRYPTION_FAILED") throw error;
      onError(error);
      yield found;
    }
  }
}

async function inClear(found: Found, keys: SubjectKeys): Promise<Found> {
  // Other programs can append records of any form, so that the type is not reliable.
  const stored = found.record as JsonObject & AuditRecord;
  const clear = await decryptContent(stored, keys);
  if (clear === stored) return found;
  const record = { ...clear } as unknown as JsonObject;
  return { ...found, record, line: JSON.stringify(record), summary: summaryOf(record) };
}
