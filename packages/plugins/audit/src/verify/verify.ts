import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import { name } from "@suite/kit/options";
import { AuditError } from "../errors.js";
import { listLogFiles } from "../log/directory.js";
import { checkArgument } from "../options.js";
import { publicKeysOf } from "../signing/key-files.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import { headFilesOf } from "../witness/heads-log.js";
import { checkVerifyOptions, type VerifyOptions } from "./options.js";
import type { Verdict } from "./verdict.js";
import { verifySources } from "./verify-sources.js";

/**
 * Verifies the log in a directory: every acknowledged record is present, unchanged and in its place. Without an anchor
 * it cannot detect that whole commits at the end were cut off, or that files were removed that no other file names.
 *
 * @throws AuditError `ERR_AUDIT_NO_LOG`, `ERR_AUDIT_NO_KEY`, `ERR_AUDIT_INVALID_KEY`, `ERR_AUDIT_INVALID_ANCHOR`.
 * Damage is not an error: it is in the verdict's `problems`.
 *
 * @example
 * ```ts
 * const { ok, problems } = await verify(".suite/audit", { key: await readFile("audit.pub", "utf8") });
 * ```
 */
export async function verify(dir: string, options: VerifyOptions = {}): Promise<Verdict> {
  checkArgument("verify", "dir", dir, name);
  options = checkVerifyOptions("verify", options);
  const directory = resolve(dir);
  for (let again = 0; ; again++) {
    try {
      return await verifyOnce(directory, options);
    } catch (error) {
      // Retention may delete a file while it is read. Start again: the remaining log contains a record of the deletion.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || again === TRIES) throw error;
    }
  }
}

const TRIES = 5;

async function verifyOnce(directory: string, options: VerifyOptions): Promise<Verdict> {
  const found = await listLogFiles(directory).catch((cause: unknown) => {
    throw new AuditError("ERR_AUDIT_NO_LOG", `${directory} cannot be read as a directory.`, { cause });
  });
  // A file that was empty when the sizes were read is skipped: by now it may contain heads that are newer than the
  // other files' sizes.
  const files = found.map(({ name, bytes }) => ({
    name,
    size: bytes,
    read: () => (bytes === 0 ? [] : createReadStream(join(directory, name), { highWaterMark: 1024 * 1024 })),
  }));
  const ownKey = options.key === undefined ? await publicKeysOf(directory) : undefined;
  const heads = () => headFilesOf(directory);
  return verifySources({ files, where: directory, ownKey, heads, cryptography: nodeCryptography }, options);
}
