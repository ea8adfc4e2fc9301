import { resolve } from "node:path";
import { AuditError } from "../errors.js";
import type { Log } from "../log/group-commit.js";
import { type LogOptions, openLog } from "../log/log.js";
import type { AuditRecord } from "../record/record.js";
import type { Sink } from "./sink.js";

/**
 * Writes records to a signed log in a directory, opened by the first record. The path is resolved now: a later change of
 * the working directory moves nothing.
 */
export function fileSink(options: LogOptions): Sink {
  return new FileSink({ ...options, dir: resolve(options.dir) });
}

class FileSink implements Sink {
  readonly #options: LogOptions;
  #opening: Promise<Log> | undefined;
  #closed = false;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  async append(record: AuditRecord): Promise<unknown> {
    if (this.#closed) throw new AuditError("ERR_AUDIT_CLOSED", "The sink was closed. Make another to append.");
    const log = await this.#open();
    return log.append(record);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const log = await this.#opening?.catch(() => undefined);
    await log?.close();
  }

  /** A directory that could not be opened is tried again by the next record. */
  #open(): Promise<Log> {
    this.#opening ??= openLog(this.#options).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }
}
