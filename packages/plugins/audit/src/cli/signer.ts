import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AuditError } from "../errors.js";
import { listLogFiles } from "../log/directory.js";
import type { LogOptions } from "../log/log.js";
import { ed25519Signer } from "../signing/ed25519.js";
import type { Signer } from "../signing/signer.js";
import { UsageError } from "./usage.js";

/**
 * Returns the signer for records that a command appends to an existing log: from a key file, or the log's default key.
 */
export async function commandSigner(dir: string, keyFile: string | undefined): Promise<Pick<LogOptions, "signer">> {
  if ((await listLogFiles(dir)).length === 0) {
    throw new AuditError("ERR_AUDIT_NO_LOG", `${dir} contains no log: no file audit-*.jsonl.`);
  }
  if (keyFile !== undefined) return { signer: await signerIn(keyFile) };
  // A new key would be unknown to everyone who verifies the log.
  const hasKey = await access(join(dir, "key")).then(
    () => true,
    () => false,
  );
  if (hasKey) return {};
  throw new UsageError("This log is signed by a key that is not in its directory. Pass it with --signing-key.");
}

const signerIn = async (file: string): Promise<Signer> => ed25519Signer(await readFile(file, "utf8"));
