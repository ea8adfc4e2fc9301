import { join } from "node:path";
import { AuditError } from "../errors.js";
import { createOnce, readIfThere } from "../files/durable.js";
import { logFileNames } from "./directory.js";
import { isLogId, logIdOf, newLogId } from "./format.js";
import { originIn } from "./heads.js";

/**
 * The file with the log's identity, next to the log files. Each log file contains it in its origin, so that files of
 * other logs are recognised.
 */
const ID_FILE = "id";

/**
 * Returns the identity of the log in a directory. It comes from the identity file, otherwise from the newest log file,
 * otherwise a new one is created.
 *
 * @param known the identity that this process has used here before, if any
 * @throws AuditError `ERR_AUDIT_WRITE_FAILED` if the file contains something else
 */
export async function identityOf(dir: string, known?: string): Promise<string> {
  const path = join(dir, ID_FILE);
  let text = await readIfThere(path);
  if (text === undefined) {
    await createOnce(path, `${known ?? (await idOfFiles(dir)) ?? newLogId()}\n`);
    // Another process may have been first: its identity counts.
    text = await readIfThere(path);
  }
  const id = text?.trim() ?? "";
  if (isLogId(id)) return id;
  throw new AuditError(
    "ERR_AUDIT_WRITE_FAILED",
    `${path} does not contain the identity of a log. Expected the 32 hexadecimal digits that precede the last slash in the origin of each checkpoint.`,
  );
}

async function idOfFiles(dir: string): Promise<string | undefined> {
  for (const name of (await logFileNames(dir)).reverse()) {
    const origin = await originIn(dir, name);
    if (origin !== undefined) return logIdOf(origin);
  }
  return undefined;
}
