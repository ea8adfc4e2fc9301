import { resolve } from "node:path";
import { nodeCryptography } from "../crypto/node.js";
import { AuditError } from "../errors.js";
import { isOpenToOthers, publish, signerOf } from "../keys/key-files.js";
import { checkKeyName } from "../note/key.js";
import type { Signer } from "../note/signer.js";
import { ensureDirectory } from "./directory.js";
import { FileSequence } from "./file-sequence.js";
import { encodeRecord } from "./line.js";

/** Where an acknowledged record stands. */
export interface Appended {
  /** Counts from 0 in its file; the file's opening record is 0. */
  readonly index: number;
  readonly file: string;
}

export interface LogOptions {
  /** Made if it is not there. Several processes may share one; it should be on a local disk. */
  readonly dir: string;
  /** Signs the checkpoints. Without one, a key is made in `dir` on first use: see README, "Keys". */
  readonly signer?: Signer;
  /** A file that has grown to this many bytes is followed by a new one. Default 64 MiB. */
  readonly maxFileBytes?: number;
  /** How many bytes may wait for the disk before `append` rejects. Default 64 MiB. */
  readonly maxQueuedBytes?: number;
  /** Told once, where something should be known: a key was made, or a key file is open to others. */
  readonly onNotice?: (text: string) => void;
}

/** An open log, with a file of its own in the directory. */
export interface Log {
  /**
   * Resolves when the record is on disk and covered by a signed tree head; appends at the same time share one write and
   * one fdatasync. Rejects when that could not be done: then the record may be on disk, but nothing says so.
   *
   * @param record JSON data. Stored as RFC 8785 canonical JSON, at most 64 KiB; beyond that its `content` is left out.
   * @throws AuditError `ERR_AUDIT_INVALID_RECORD`, `ERR_AUDIT_RECORD_TOO_LARGE`, `ERR_AUDIT_WRITE_FAILED`,
   * `ERR_AUDIT_QUEUE_FULL`, `ERR_AUDIT_CLOSED`
   */
  append(record: object): Promise<Appended>;
  /** The last signed tree head of this log's own file: a C2SP checkpoint. Keep it elsewhere, as an anchor. */
  readonly checkpoint: string | undefined;
  /** Waits for what was appended, then closes the file. */
  close(): Promise<void>;
}

/**
 * Opens a log for appending. The file itself is created by the first `append`.
 *
 * @example
 * ```ts
 * const log = await openLog({ dir: "audit" });
 * await log.append({ type: "deployment", version: "1.4.2" });
 * await log.close();
 * ```
 */
export async function openLog(options: LogOptions): Promise<Log> {
  const dir = resolve(options.dir);
  await ensureDirectory(dir);
  const signer = options.signer ?? (await ownSigner(dir, options.onNotice ?? (() => {})));
  checkKeyName(signer.name);
  await publish(dir, signer);
  return new GroupCommitLog(new FileSequence(dir, signer, options.maxFileBytes), options.maxQueuedBytes);
}

async function ownSigner(dir: string, notice: (text: string) => void): Promise<Signer> {
  const { signer, made } = await signerOf(dir);
  if (made) notice(`A signing key was made: ${made}. Whoever holds it can write another log; see README, "Keys".`);
  else if (await isOpenToOthers(dir)) notice(`The signing key in ${dir} can be read by others. Set its mode to 0600.`);
  return signer;
}

interface Waiting {
  readonly line: Uint8Array;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

/** One batch holds at most this much, so that what waits for the disk is acknowledged step by step. */
const MAX_BATCH_BYTES = 1024 * 1024;

class GroupCommitLog implements Log {
  readonly #files: FileSequence;
  readonly #maxQueuedBytes: number;
  #waiting: Waiting[] = [];
  #queuedBytes = 0;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(files: FileSequence, maxQueuedBytes = 64 * 1024 * 1024) {
    this.#files = files;
    this.#maxQueuedBytes = maxQueuedBytes;
  }

  get checkpoint(): string | undefined {
    return this.#files.checkpoint;
  }

  async append(record: object): Promise<Appended> {
    if (this.#closed) throw new AuditError("ERR_AUDIT_CLOSED", "The log was closed. Open it again to append.");
    const line = encodeRecord(record, nodeCryptography.sha256);
    if (this.#queuedBytes + line.length > this.#maxQueuedBytes) {
      throw new AuditError(
        "ERR_AUDIT_QUEUE_FULL",
        `${this.#queuedBytes} bytes already wait for the disk. Append more slowly.`,
      );
    }
    this.#queuedBytes += line.length;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#files.close();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // One turn of the event loop: whoever was just acknowledged appends again, and shares the next batch.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.#take();
      try {
        const { index, file } = await this.#files.commit(batch.map(({ line }) => line));
        for (const [i, { resolve }] of batch.entries()) resolve({ index: index + i, file });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      for (const { line } of batch) this.#queuedBytes -= line.length;
    }
    this.#running = undefined;
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
}
