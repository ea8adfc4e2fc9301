import { AuditError } from "../errors.js";
import { fileNameOf } from "../log/format.js";
import { checkArgument, string } from "../options.js";
import { checkInclusion } from "../proofs/check.js";
import { parseProof } from "../proofs/proof-text.js";
import { parsePublicKeys } from "../signing/key.js";
import { webCryptography } from "../signing/web-cryptography.js";

/** The result of a check: the record and its place in the signed log, or the reason why the proof fails. */
export type ProofVerdict =
  | {
      readonly holds: true;
      /** The record, as in its line of the log. */
      readonly record: string;
      readonly file: string;
      /** The index in its file, from 0. */
      readonly index: number;
      /** The number of records in the file when this was signed. */
      readonly size: number;
      /** The name of the signer. */
      readonly origin: string;
    }
  | { readonly holds: false; readonly because: "not_signed" | "wrong_hashes" };

/**
 * Checks the proof of one record, as created by `suite-audit prove` and `proveRecord`. Does not need Node or the log,
 * only the proof and a public key.
 *
 * @param key public keys, one per line, from a trusted source
 * @throws AuditError `ERR_AUDIT_INVALID_PROOF`, `ERR_AUDIT_INVALID_KEY`, and `ERR_AUDIT_UNSUPPORTED` if WebCrypto does
 * not support Ed25519
 *
 * @example
 * ```ts
 * const { holds } = await checkProof(await file.text(), key);
 * ```
 */
export async function checkProof(proof: string, key: string): Promise<ProofVerdict> {
  checkArgument("checkProof", "proof", proof, string);
  checkArgument("checkProof", "key", key, string);
  const parsed = parseProof(proof);
  if (parsed.kind !== "inclusion")
    throw new AuditError("ERR_AUDIT_INVALID_PROOF", "The proof is for an anchor, not for a record.");
  const checked = await checkInclusion(parsed, parsePublicKeys(key, webCryptography.sha256), webCryptography);
  if (!checked.holds)
    return { holds: false, because: checked.because === "not_signed" ? "not_signed" : "wrong_hashes" };
  const { origin, size } = checked.checkpoint;
  const record = new TextDecoder().decode(parsed.record);
  return { holds: true, record, file: fileNameOf(origin), index: parsed.index, size, origin };
}
