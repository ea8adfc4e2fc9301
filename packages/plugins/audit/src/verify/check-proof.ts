import { AuditError } from "../errors.js";
import { fileNameOf } from "../log/format.js";
import { checkArgument, string } from "../options.js";
import { checkInclusion } from "../proofs/check.js";
import { parseProof } from "../proofs/proof-text.js";
import { parsePublicKeys } from "../signing/key.js";
import { webCryptography } from "../signing/web-cryptography.js";

/** The result of a proof: which record stands where in what was signed, or why it shows nothing. */
export type ProofVerdict =
  | {
      readonly holds: true;
      /** The record, as its line in the log has it. */
      readonly record: string;
      readonly file: string;
      /** Counts from 0 in its file. */
      readonly index: number;
      /** The number of records that the file held when this was signed. */
      readonly size: number;
      /** The name under which it was signed. */
      readonly origin: string;
    }
  | { readonly holds: false; readonly because: "not_signed" | "wrong_hashes" };

/**
 * Checks the proof of one record, as `suite-audit prove` and `proveRecord` make it, where there is no Node. It needs the proof
 * and a public key, and not the log.
 *
 * @param key public keys as text, one a line, from somebody who is trusted.
 * @throws AuditError `ERR_AUDIT_INVALID_PROOF`, `ERR_AUDIT_INVALID_KEY`, and `ERR_AUDIT_UNSUPPORTED` where WebCrypto knows no
 *   Ed25519
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
    throw new AuditError("ERR_AUDIT_INVALID_PROOF", "The proof is about an anchor, and not about a record.");
  const checked = await checkInclusion(parsed, parsePublicKeys(key, webCryptography.sha256), webCryptography);
  if (!checked.holds)
    return { holds: false, because: checked.because === "not_signed" ? "not_signed" : "wrong_hashes" };
  const { origin, size } = checked.checkpoint;
  const record = new TextDecoder().decode(parsed.record);
  return { holds: true, record, file: fileNameOf(origin), index: parsed.index, size, origin };
}
