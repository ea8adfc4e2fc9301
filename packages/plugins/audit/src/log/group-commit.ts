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

interface Waiting {
  readonly line: Uint8Array;
  /** Whether somebody waits for the record. */
  readonly awaited: boolean;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
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
  #waiting: Waiting[] = [];
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

  append(record: object): Promise<Appended> {
    return new Promise((resolve, reject) => {
      // What is thrown here rejects.
      const line = this.#admit(record);
      const awaited = !isUnhurried(record);
      this.#waiting.push({ line, awaited, resolve, reject });
      if (awaited || this.#queuedBytes > MAX_BATCH_BYTES) this.#hurry?.();
      this.#running ??= this.#run();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#hurry?.();
    await this.#running;
    await this.#files.close();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gathered();
      const batch = this.#take();
      try {
        const { index, file } = await this.#files.commit(batch.map(({ line }) => line));
        batch.forEach(({ resolve }, i) => {
          resolve({ index: index + i, file });
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      for (const { line } of batch) this.#queuedBytes -= line.length + FRAME_BYTES;
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

  #take(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { line } of this.#waiting) {
      bytes += line.length;
      if (count > 0 && bytes > MAX_BATCH_BYTES) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  #admit(record: object): Uint8Array {
    if (this.#closed) throw new AuditError("ERR_AUDIT_CLOSED", "The log was closed. Open it again to append.");
    const line = encodeRecord(record, nodeCryptography.sha256);
    const bytes = line.length + FRAME_BYTES;
    if (this.#queuedBytes + bytes > this.#maxQueuedBytes) {
      throw new AuditError(
        "ERR_AUDIT_QUEUE_FULL",
        `${this.#queuedBytes} bytes already wait for the disk. Append more slowly.`,
      );
    }
    this.#queuedBytes += bytes;
    return line;
  }
}
