import { readFile, stat } from "node:fs/promises";
import { AuditError } from "../errors.js";
import { signedHeadOf } from "../proofs/signed-head.js";
import { logFilesOf } from "../query/records-of.js";
import type { PublicKey } from "../signing/key.js";
import { verifierKeys } from "../signing/verifier-keys.js";
import type { ExitCode } from "./exit-code.js";
import { print } from "./output.js";
import { keysFor, keysIn } from "./public-keys.js";
import { parse, UsageError } from "./usage.js";

/**
 * `suite-audit verifier-key PATH [--key FILE]`: prints the public key in the format of other C2SP tools, for the origin
 * of a saved checkpoint or of each file of a log.
 */
export async function verifierKey(args: readonly string[]): Promise<ExitCode> {
  const { path, last } = parse(args, ["key"]);
  const key = last("key");
  if ((await stat(path)).isDirectory()) return ofLog(path, await keysFor(path, key));
  if (key === undefined) throw new UsageError("A single checkpoint requires the public key: --key.");
  return printResult(verifierKeys(await readFile(path, "utf8"), await keysIn(key)));
}

async function ofLog(dir: string, keys: readonly PublicKey[]): Promise<ExitCode> {
  const found: string[] = [];
  for (const { name } of await logFilesOf(dir)) {
    try {
      found.push(...verifierKeys((await signedHeadOf(dir, name, keys)).note, keys));
    } catch (error) {
      // A new file has no checkpoint yet. The other files are still printed.
      if (!AuditError.is(error) || error.code !== "ERR_AUDIT_NO_PROOF") throw error;
      console.error(error.message);
    }
  }
  return printResult(found);
}

function printResult(found: readonly string[]): ExitCode {
  if (found.length === 0) throw new AuditError("ERR_AUDIT_NO_KEY", "This was not signed by any of the keys.");
  for (const line of found) print(line);
  return 0;
}
