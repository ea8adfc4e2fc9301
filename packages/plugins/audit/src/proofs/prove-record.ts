import { amount, name } from "@suite/kit/options";
import { isLogFile } from "../log/format.js";
import { checkArgument, checkOptions, string } from "../options.js";
import { parsePublicKeys } from "../signing/key.js";
import { publicKeysOf } from "../signing/key-files.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import { formatProof } from "./proof-text.js";
import { proveInclusion } from "./prove.js";
import { unproven } from "./signed-head.js";

/** The place of a record in a log. */
export interface RecordPlace {
  readonly file: string;
  /** The index in its file, from 0. */
  readonly index: number;
}

/**
 * Proves that a record is in its file, as covered by the last checkpoint. Returns a C2SP tlog-proof that contains the
 * record. `checkProof` of `@suite/audit/verify` and `suite-audit check-proof` check it. The file is read twice, in
 * constant memory.
 *
 * @param key public keys, one per line. Default: those in the log's directory.
 * @throws AuditError `ERR_AUDIT_NO_PROOF`, `ERR_AUDIT_INVALID_KEY`
 */
export async function proveRecord(
  dir: string,
  place: RecordPlace,
  options: { readonly key?: string } = {},
): Promise<string> {
  checkArgument("proveRecord", "dir", dir, name);
  place = checkOptions("place of proveRecord", place, { file: string, index: amount }, ["file", "index"]);
  options = checkOptions("proveRecord", options, { key: string });
  const { file, index } = place;
  const { key } = options;
  if (!isLogFile(file)) throw unproven("This is not the name of a log file.");
  const keys = parsePublicKeys(key ?? (await publicKeysOf(dir)) ?? "", nodeCryptography.sha256);
  return formatProof(await proveInclusion(dir, file, index, keys));
}
