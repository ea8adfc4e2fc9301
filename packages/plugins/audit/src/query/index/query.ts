import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { callable, name } from "@suite/kit/options";
import { checkArgument, checkOptions } from "../../options.js";
import { checkFilter, matches, type RecordFilter } from "../filter.js";
import { type Found, readRecord } from "../found.js";
import { SignedEnds } from "../signed-end.js";
import { isDatabaseError, LogIndex, type Progress } from "./log-index.js";

/** Listeners of a query. */
export interface QueryListeners {
  readonly progress?: Progress | undefined;
  /**
   * Called once with the number of lines that should be records but are not, if there are any. Queries do not find
   * them.
   */
  readonly unreadable?: (lines: number) => void;
}

/**
 * Returns the records of a log that match a filter, newest first. Uses an index in the user's cache, which is created
 * on first use and updated by each query.
 *
 * @throws AuditError `ERR_AUDIT_NO_LOG`; `ERR_AUDIT_INDEX` if indexed data has been changed in place since
 */
export async function* queryLog(
  dir: string,
  filter: RecordFilter,
  listeners: QueryListeners = {},
): AsyncGenerator<Found> {
  checkArgument("queryLog", "dir", dir, name);
  checkFilter(filter);
  listeners = checkOptions("queryLog", listeners, { progress: callable, unreadable: callable });
  const index = await LogIndex.open(dir, listeners.progress);
  if (index.unreadable > 0) listeners.unreadable?.(index.unreadable);
  const files = new OpenFiles(dir);
  const ends = await SignedEnds.of(dir);
  try {
    for (const { file, index: at, offset, length } of index.places(filter)) {
      const bytes = files.read(file, offset, length);
      const found = bytes && readRecord({ file, index: at, offset, bytes }, await ends.endOf(file, files.sizeOf(file)));
      if (!found) throw await index.discard();
      if (matches(filter, found)) yield found;
    }
  } catch (error) {
    throw isDatabaseError(error) ? await index.discard() : error;
  } finally {
    files.close();
    await index.close();
  }
}

const MAX_OPEN = 64;

/** Reads records at their places in the index. */
class OpenFiles {
  readonly #dir: string;
  readonly #open = new Map<string, number>();
  readonly #sizes = new Map<string, number>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Reads a line. Returns `undefined` if no line is there. */
  read(file: string, offset: number, length: number): Uint8Array | undefined {
    const bytes = Buffer.alloc(length + 1);
    const read = readSync(this.#descriptor(file), bytes, 0, length + 1, offset);
    return read === length + 1 && bytes[length] === 0x0a ? bytes.subarray(0, length) : undefined;
  }

  /** Returns the size of a file when it was opened. */
  sizeOf(file: string): number {
    return this.#sizes.get(file) ?? 0;
  }

  close(): void {
    for (const descriptor of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
  }

  #descriptor(file: string): number {
    const known = this.#open.get(file);
    if (known !== undefined) return known;
    if (this.#open.size >= MAX_OPEN) this.close();
    const descriptor = openSync(join(this.#dir, file), "r");
    this.#open.set(file, descriptor);
    if (!this.#sizes.has(file)) this.#sizes.set(file, fstatSync(descriptor).size);
    return descriptor;
  }
}
