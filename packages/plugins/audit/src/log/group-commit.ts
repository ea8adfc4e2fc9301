import { AuditError } from "../errors.js";
import { isUnhurried } from "../record/draft.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import type { FileSequence } from "./file-sequence.js";
import { encodeRecord } from "./line.js";

/** The place of an acknowledged record. */
export interface Appended {
  /** Counts from 0 in its file; the file's opening record is 0. */
  readonly index: number;
  readonly file: string;
}

/** An open log, with a file of its own in the directory. */
export interface Log {
  /**
   * Resolves when the record is on disk and covered by a signed tree head; appends at the same time share one write and
   * one fdatasync. Rejects when that could not be done: then the record may be on disk, but nothing says so.
   *
   * @param record JSON data. Stored as RFC 8785 canonical JSON, at most 65,535 bytes; beyond that its `content` is left out.
   * @throws AuditError `ERR_AUDIT_INVALID_RECORD`, `ERR_AUDIT_RECORD_TOO_LARGE`, `ERR_AUDIT_WRITE_FAILED`,
   * `ERR_AUDIT_INVALID_SIGNATURE`, `ERR_AUDIT_QUEUE_FULL`, `ERR_AUDIT_CLOSED`
   */
  append(record: object): Promise<Appended>;
  /** The last signed tree head of this log's own file: a C2SP checkpoint. Keep it elsewhere, as an anchor. */
  readonly checkpoint: string | undefined;
  /** Waits for what was appended, then closes the file. */
  close(): Promise<void>;
}

/** Records that are committed together. */
class Batch {
  readonly lines: Uint8Array[] = [];
  bytes = 0;
  /** Whether somebody waits for one of the records. */
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

/** One batch holds at most this much, so that what waits for the disk is acknowledged step by step. */
const MAX_BATCH_BYTES = 1024 * 1024;

/**
 * The time in which records that nobody waits for gather for a commit, in milliseconds: signing and syncing costs more
 * than they do.
 */
const GATHER = 10;

/** The memory that a record takes while it waits, about, besides its bytes. */
const FRAME_BYTES = 256;

/** Appends that come while a batch is being made durable wait, and make up the next one. */
export class GroupCommitLog implements Log {
  readonly #files: FileSequence;
  readonly #maxQueuedBytes: number;
  readonly #waiting: Batch[] = [];
  #queuedBytes = 0;
  #running: Promise<void> | undefined;
  #closed = false;
  /** Ends the gathering that is under way. */
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

  /** Appends as `append` does, without saying where: all records of one batch have the same promise. */
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

  /** Adds a record to the batch that is written next. Everything that can throw comes before the first change of state. */
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
   * Resolves after one turn of the event loop: whoever was just acknowledged appends again, and shares the next batch. Where
   * nobody waits for any of the records, it takes a little longer.
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

  /** Returns the line of a record for which there is room. */
  #encoded(record: object): Uint8Array {
    if (this.#closed) throw new AuditError("ERR_AUDIT_CLOSED", "The log was closed. Open it again to append.");
    const line = encodeRecord(record, nodeCryptography.sha256);
    if (this.#queuedBytes + line.length + FRAME_BYTES > this.#maxQueuedBytes) {
      throw new AuditError(
        "ERR_AUDIT_QUEUE_FULL",
        `${this.#queuedBytes} bytes already wait for the disk. Append more slowly.`,
      );
    }
    return line;
  }
}
