import { join } from "node:path";
import { AuditError } from "../errors.js";
import { createOnce, readIfThere } from "../files/durable.js";
import { logFileNames } from "./directory.js";
import { isLogId, logIdOf, newLogId } from "./format.js";
import { originIn } from "./heads.js";

/** The log's identity, beside its files. Each file has it in its origin, so that a file of another log is known. */
const ID_FILE = "id";

/**
 * The identity of the log in a directory: what its file says; where that is gone, what its newest log file says; else a new one.
 *
 * @param known what it was, where this process has written here
 * @throws AuditError `ERR_AUDIT_WRITE_FAILED` where the file holds something else
 */
export async function identityOf(dir: string, known?: string): Promise<string> {
  const path = join(dir, ID_FILE);
  let text = await readIfThere(path);
  if (text === undefined) {
    await createOnce(path, `${known ?? (await idOfFiles(dir)) ?? newLogId()}\n`);
    // Another process may have been first: what it wrote counts.
    text = await readIfThere(path);
  }
  const id = text?.trim() ?? "";
  if (isLogId(id)) return id;
  throw new AuditError(
    "ERR_AUDIT_WRITE_FAILED",
    `${path} does not hold the identity of a log: 32 hexadecimal digits, which the origin of each checkpoint names before its last slash.`,
  );
}

async function idOfFiles(dir: string): Promise<string | undefined> {
  for (const name of (await logFileNames(dir)).reverse()) {
    const origin = await originIn(dir, name);
    if (origin !== undefined) return logIdOf(origin);
  }
  return undefined;
}
