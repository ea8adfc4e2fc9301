import { AuditError } from "../errors.js";
import { checkOptions, object } from "../options.js";
import type { Signer } from "../signing/signer.js";
import { openLog } from "./log.js";

/**
 * Writes an anchor of a whole log: a signed checkpoint that covers everything that any process wrote before it. It
 * belongs to a new file, whose first record contains the heads of the others. Keep it in a place that the log's owner
 * cannot change.
 *
 * @param options.signer signs the checkpoint; default: the key in the directory
 * @returns a C2SP checkpoint of about 300 bytes
 * @throws AuditError the errors of `openLog` and `append`
 *
 * @example
 * ```ts
 * await writeFile("/mnt/worm/anchor.txt", await anchorLog("/var/log/agent", { signer }));
 * ```
 */
export async function anchorLog(dir: string, options: { readonly signer?: Signer } = {}): Promise<string> {
  options = checkOptions("anchorLog", options, { signer: object });
  const log = await openLog({ dir, ...(options.signer && { signer: options.signer }) });
  try {
    const time = new Date().toISOString();
    const id = crypto.randomUUID();
    await log.append({ version: 1, id, time, stage: "outcome", type: "log", operation: "anchor" });
    if (log.checkpoint !== undefined) return log.checkpoint;
    throw new AuditError("ERR_AUDIT_WRITE_FAILED", `${dir} has no checkpoint that covers the record just written.`);
  } finally {
    await log.close();
  }
}
