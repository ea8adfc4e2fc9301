import { AuditError } from "../errors.js";
import { isUnhurried } from "../record/draft.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import type { FileSequence } from "./file-sequence.js";
import { encodeRecord } from "./line.js";

/** The position of an acknowledged record. */
export interface Appended {
  /** The index in its file, from 0. The file's opening record is 0. */
  readonly index: number;
  readonly file: string;
}

/** An open log, which writes to a separate file in the directory. */
export interface Log {
  /**
   * Appends a record. Resolves when it is on disk and covered by a signed tree head. Concurrent appends share one write
   * and one fdatasync. If the promise rejects, the record may be on disk, but is not acknowledged.
   *
   * @param record an object of JSON data. Stored as RFC 8785 canonical JSON, at most 65,535 bytes. A longer record
   * loses its `content`. Checked before anything is queued.
   * @throws AuditError `ERR_AUDIT_INVALID_RECORD`, `ERR_AUDIT_RECORD_TOO_LARGE`, `ERR_AUDIT_WRITE_FAILED`,
   * `ERR_AUDIT_SIGNING_FAILED`, `ERR_AUDIT_INVALID_SIGNATURE`, `ERR_AUDIT_QUEUE_FULL`, `ERR_AUDIT_CLOSED`
   */
  append(record: object): Promise<Appended>;
  /** The last signed tree head of this log's file: a C2SP checkpoint. Keep it in another place, as an anchor. */
  readonly checkpoint: string | undefined;
  /** Waits for the appended records, then closes the file. */
  close(): Promise<void>;
}

/** Records that are committed together. */
class Batch {
  readonly lines: Uint8Array[] = [];
  bytes = 0;
  /** True if a caller waits for one of the records. */
  awaited = false;
  readonly done: Promise<Appended>;
  resolve: (first: Appended) => void = () => {};
  reject: (error: unknown) => void = () => {};

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

/** Maximum bytes of one batch, so that waiting records are acknowledged step by step. */
const MAX_BATCH_BYTES = 1024 * 1024;

/**
 * The time in milliseconds for which records gather for a commit if no caller waits for them. Signing and syncing cost
 * more.
 */
const GATHER = 10;

/** Estimated memory of a waiting record in addition to its bytes. */
const FRAME_BYTES = 256;

/** A log whose appends during a commit wait, and form the next batch. */
export class GroupCommitLog implements Log {
  readonly #files: FileSequence;
  readonly #maxQueuedBytes: number;
  readonly #waiting: Batch[] = [];
  #queuedBytes = 0;
  #running: Promise<void> | undefined;
  #closed = false;
  /** Ends the current gathering. */
  #hurry: (() => void) | undefined;

  constructor(files: FileSequence, maxQueuedBytes = 64 * 1024 * 1024) {
    this.#files = files;
    this.#maxQueuedBytes = maxQueuedBytes;
  }

  get checkpoint(): string | undefined {
    return this.#files.checkpoint;
  }

  async append(record: object): Promise<Appended> {
    const batch = this.#add(record);
    const at = batch.lines.length - 1;
    const { index, file } = await batch.done;
    return { index: index + at, file };
  }

  /** Appends a record like `append`, but without its position: all records of one batch share one promise. */
  write(record: object): Promise<unknown> {
    try {
      return this.#add(record).done;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#hurry?.();
    await this.#running;
    await this.#files.close();
  }

  /** Adds a record to the next batch. All code that can throw runs before the first change of state. */
  #add(record: object): Batch {
    const line = this.#encoded(record);
    const awaited = !isUnhurried(record);
    this.#queuedBytes += line.length + FRAME_BYTES;
    let batch = this.#waiting.at(-1);
    if (batch === undefined || batch.bytes + line.length > MAX_BATCH_BYTES) {
      batch = new Batch();
      this.#waiting.push(batch);
    }
    batch.lines.push(line);
    batch.bytes += line.length;
    if (awaited) batch.awaited = true;
    if (awaited || this.#queuedBytes > MAX_BATCH_BYTES) this.#hurry?.();
    this.#running ??= this.#run();
    return batch;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gathered();
      const batch = this.#waiting.shift() as Batch;
      try {
        batch.resolve(await this.#files.commit(batch.lines));
      } catch (error) {
        batch.reject(error);
      }
      this.#queuedBytes -= batch.bytes + batch.lines.length * FRAME_BYTES;
    }
    this.#running = undefined;
  }

  /**
   * Resolves after one turn of the event loop: callers that were just acknowledged append again, and share the next
   * batch. If no caller waits for any of the records, it takes a little longer.
   */
  #gathered(): Promise<void> {
    const hurried = this.#closed || this.#queuedBytes > MAX_BATCH_BYTES || this.#waiting.some(({ awaited }) => awaited);
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#hurry = undefined;
        setImmediate(resolve);
      };
      const timer = hurried ? undefined : setTimeout(end, GATHER);
      if (hurried) end();
      else this.#hurry = end;
    });
  }

  /** Encodes a record. Throws if there is no room for it. */
  #encoded(record: object): Uint8Array {
    if (this.#closed) throw new AuditError("ERR_AUDIT_CLOSED", "The log was closed. Open it again to append.");
    const line = encodeRecord(record, nodeCryptography.sha256);
    if (this.#queuedBytes + line.length + FRAME_BYTES > this.#maxQueuedBytes) {
      throw new AuditError(
        "ERR_AUDIT_QUEUE_FULL",
        `${this.#queuedBytes} bytes are already waiting for the disk. Append more slowly.`,
      );
    }
    return line;
  }
}
