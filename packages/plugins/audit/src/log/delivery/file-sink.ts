import { resolve } from "node:path";
import { AuditError } from "../../errors.js";
import type { AuditRecord } from "../../record/record.js";
import type { GroupCommitLog } from "../group-commit.js";
import { checkLogOptions, type LogOptions, openGroupCommitLog } from "../log.js";
import type { Sink } from "./sink.js";

/**
 * Writes records to a signed log in a directory. The first record opens the log. The path is resolved now, so that a
 * later change of the working directory has no effect.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`
 */
export function fileSink(options: LogOptions): Sink {
  const checked = checkLogOptions("fileSink", options);
  return new FileSink({ ...checked, dir: resolve(checked.dir) });
}

class FileSink implements Sink {
  readonly #options: LogOptions;
  #opening: Promise<GroupCommitLog> | undefined;
  /** The open log. It saves a promise per record. */
  #log: GroupCommitLog | undefined;
  #closed = false;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  append(record: AuditRecord): Promise<unknown> {
    if (this.#closed) {
      return Promise.reject(new AuditError("ERR_AUDIT_CLOSED", "The sink was closed. Create a new one to append."));
    }
    if (this.#log !== undefined) return this.#log.write(record);
    // A pending attempt may fail for a reason that is over by now, such as a full disk. Then this record opens the log
    // again.
    const opened = this.#opening === undefined ? this.#open() : this.#opening.catch(() => this.#open());
    return opened.then((log) => log.write(record));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const log = await this.#opening?.catch(() => undefined);
    await log?.close();
  }

  /** Opens the log. After a failure, the next record tries again. */
  #open(): Promise<GroupCommitLog> {
    this.#opening ??= openGroupCommitLog(this.#options).then(
      (log) => {
        this.#log = log;
        return log;
      },
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }
}
