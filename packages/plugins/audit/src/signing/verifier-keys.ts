import { AuditError } from "../errors.js";
import { parseCheckpoint } from "./checkpoint.js";
import { formatPublicKey, keyId, type PublicKey } from "./key.js";
import { nodeCryptography } from "./node-cryptography.js";
import { parseNote } from "./note.js";

const { sha256 } = nodeCryptography;

/**
 * Returns the verifier keys (`name+hash+key`, C2SP signed-note) with which other tools open a signed checkpoint: those
 * of the passed keys that signed it, under its origin. Nothing is verified.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_ANCHOR` for a string that is not a checkpoint of a log
 */
export function verifierKeys(checkpoint: string, keys: readonly PublicKey[]): readonly string[] {
  const note = parseNote(checkpoint);
  const origin = note && parseCheckpoint(note.text)?.origin;
  if (!note || origin === undefined)
    throw new AuditError("ERR_AUDIT_INVALID_ANCHOR", "This is not a signed checkpoint of a log.");
  const signedBy = note.signatures.map(({ keyId }) => keyId);
  const named = keys.map((key) => ({ ...key, name: origin }));
  return named.filter((key) => signedBy.includes(keyId(key, sha256))).map((key) => formatPublicKey(key, sha256));
}
