import { resolve } from "node:path";
import { callable, name } from "@suite/kit/options";
import { AuditError } from "../errors.js";
import { ensureDirectory } from "../files/directory.js";
import { codeOf } from "../files/errors.js";
import { checkOptions, type OptionChecks, object, positive } from "../options.js";
import { checkKeyName } from "../signing/key.js";
import { isOpenToOthers, signerOf } from "../signing/key-files.js";
import { checkSigner, type Signer } from "../signing/signer.js";
import { FileSequence } from "./file-sequence.js";
import { GroupCommitLog, type Log } from "./group-commit.js";

/** The options of `openLog`. */
export interface LogOptions {
  /** The directory of the log, created if missing. Several processes may share one. It should be on a local disk. */
  readonly dir: string;
  /**
   * Signs the checkpoints. Default: a key that is created in `dir` on first use, see README, "Choose the folder and the
   * key".
   */
  readonly signer?: Signer;
  /** Size in bytes at which a new file is started. Default 64 MiB. */
  readonly maxFileBytes?: number;
  /** Maximum bytes that wait for the disk before `append` rejects. Default 64 MiB. */
  readonly maxQueuedBytes?: number;
  /** Called once with a notice: a key was created, or a key file is readable by others. */
  readonly onNotice?: (text: string) => void;
}

const checks: OptionChecks<LogOptions> = {
  dir: name,
  signer: object,
  maxFileBytes: positive,
  maxQueuedBytes: positive,
  onNotice: callable,
};

/**
 * Checks the options of a log.
 *
 * @param of the function that takes them
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`
 */
export function checkLogOptions(of: string, options: LogOptions): LogOptions {
  return checkOptions(of, options, checks, ["dir"]);
}

/**
 * Opens a log for appending. The first `append` creates the file.
 *
 * @throws AuditError `ERR_AUDIT_WRITE_FAILED` if the directory cannot be created or written to,
 * `ERR_AUDIT_INVALID_KEY`, `ERR_AUDIT_INVALID_OPTION`
 *
 * @example
 * ```ts
 * const log = await openLog({ dir: "audit" });
 * await log.append({ type: "deployment", version: "1.4.2" });
 * await log.close();
 * ```
 */
export const openLog = (options: LogOptions): Promise<Log> => openGroupCommitLog(options);

/** Opens a log like `openLog`, for a sink. */
export async function openGroupCommitLog(options: LogOptions): Promise<GroupCommitLog> {
  options = checkLogOptions("openLog", options);
  const dir = resolve(options.dir);
  try {
    await ensureDirectory(dir);
    const signer = options.signer ?? (await defaultSigner(dir, options.onNotice ?? (() => {})));
    checkKeyName(signer.name);
    checkSigner(signer);
    const files = new FileSequence(dir, signer, options.maxFileBytes);
    // Called now, so that a directory that cannot be written to is detected before the first record.
    await files.prepare();
    return new GroupCommitLog(files, options.maxQueuedBytes);
  } catch (cause) {
    if (AuditError.is(cause)) throw cause;
    const code = codeOf(cause) ?? "an error";
    throw new AuditError("ERR_AUDIT_WRITE_FAILED", `Cannot write a log in ${dir}: ${code}.`, { cause });
  }
}

async function defaultSigner(dir: string, notice: (text: string) => void): Promise<Signer> {
  const { signer, created } = await signerOf(dir);
  if (created)
    notice(
      `A signing key was created: ${created}. Anyone who has it can forge a log; see README, "Choose the folder and the key".`,
    );
  else if (await isOpenToOthers(dir)) notice(`The signing key in ${dir} can be read by others. Set its mode to 0600.`);
  return signer;
}
