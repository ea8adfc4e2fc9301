import { AuditError } from "../errors.js";
import { parseCheckpoint } from "./checkpoint.js";
import { formatPublicKey, keyId, type PublicKey } from "./key.js";
import { nodeCryptography } from "./node-cryptography.js";
import { parseNote } from "./note.js";

const { sha256 } = nodeCryptography;

/**
 * The verifier keys (`name+hash+key`, C2SP signed-note) that open a signed checkpoint in other tools: those of these keys that
 * it names as its signers, under the origin, as which they signed. Nothing is verified.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_ANCHOR` for a text that is no checkpoint of a log
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
