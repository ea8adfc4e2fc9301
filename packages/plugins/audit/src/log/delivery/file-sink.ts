import { resolve } from "node:path";
import { AuditError } from "../../errors.js";
import type { AuditRecord } from "../../record/record.js";
import type { GroupCommitLog } from "../group-commit.js";
import { checkLogOptions, type LogOptions, openGroupCommitLog } from "../log.js";
import type { Sink } from "./sink.js";

/**
 * Writes records to a signed log in a directory, opened by the first record. The path is resolved now: a later change of
 * the working directory moves nothing.
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
  /** The log, once it is open: then a record costs no promise but its own. */
  #log: GroupCommitLog | undefined;
  #closed = false;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  append(record: AuditRecord): Promise<unknown> {
    if (this.#closed) {
      return Promise.reject(new AuditError("ERR_AUDIT_CLOSED", "The sink was closed. Make another to append."));
    }
    if (this.#log !== undefined) return this.#log.write(record);
    // An attempt that has begun before may fail by what is over by now, a full disk say: then this record makes its own.
    const opened = this.#opening === undefined ? this.#open() : this.#opening.catch(() => this.#open());
    return opened.then((log) => log.write(record));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const log = await this.#opening?.catch(() => undefined);
    await log?.close();
  }

  /** A directory that could not be opened is tried again by the next record. */
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
