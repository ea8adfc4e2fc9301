import { AuditError } from "../errors.js";
import { type Checkpoint, openCheckpoint } from "../signing/checkpoint.js";
import type { Cryptography } from "../signing/cryptography.js";
import type { PublicKey } from "../signing/key.js";

/**
 * Parses checkpoints that were kept elsewhere.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_ANCHOR` for a checkpoint that these keys did not sign
 */
export async function openAnchors(
  texts: readonly string[],
  keys: readonly PublicKey[],
  cryptography: Cryptography,
): Promise<Checkpoint[]> {
  const checkpoints: Checkpoint[] = [];
  for (const text of texts) {
    const opened = await openCheckpoint(text, keys, cryptography);
    if (opened.status === "signed") checkpoints.push(opened.checkpoint);
    else throw new AuditError("ERR_AUDIT_INVALID_ANCHOR", because[opened.status]);
  }
  return checkpoints;
}

const because = {
  malformed: "The anchor is not a signed checkpoint of a log.",
  unknown_key: "The anchor is not signed by the key of this log.",
  bad_signature: "The anchor was changed after it was signed.",
};
