import { readFile } from "node:fs/promises";
import { AuditError } from "../errors.js";
import { type PublicKey, parsePublicKeys } from "../signing/key.js";
import { publicKeysOf } from "../signing/key-files.js";
import { nodeCryptography } from "../signing/node-cryptography.js";

/**
 * Reads the public keys of a file, one per line.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY`, `ERR_AUDIT_NO_KEY`
 */
export async function keysIn(path: string): Promise<readonly PublicKey[]> {
  const keys = parsePublicKeys(await readFile(path, "utf8"), nodeCryptography.sha256);
  if (keys.length === 0) throw new AuditError("ERR_AUDIT_NO_KEY", `${path} holds no public key.`);
  return keys;
}

/**
 * Returns the keys of a file, or those in the log's directory if no file was passed.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY`, `ERR_AUDIT_NO_KEY`
 */
export async function keysFor(dir: string, option: string | undefined): Promise<readonly PublicKey[]> {
  if (option !== undefined) return keysIn(option);
  const keys = parsePublicKeys((await publicKeysOf(dir)) ?? "", nodeCryptography.sha256);
  if (keys.length === 0)
    throw new AuditError("ERR_AUDIT_NO_KEY", `No public key: none was passed, and ${dir} holds none.`);
  return keys;
}
