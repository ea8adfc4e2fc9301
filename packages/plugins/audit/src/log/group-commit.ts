import { nodeCryptography } from "../crypto/node.js";
import { AuditError } from "../errors.js";
import type { FileSequence } from "./file-sequence.js";
import { encodeRecord } from "./line.js";
import type { Appended, Log } from "./log.js";

interface Waiting {
  readonly line: Uint8Array;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

/** One batch holds at most this much, so that what waits for the disk is acknowledged step by step. */
const MAX_BATCH_BYTES = 1024 * 1024;

/** About what a record that waits takes in memory, besides its bytes. */
const FRAME_BYTES = 256;

/** Appends that come while a batch is being made durable wait, and make up the next one. */
export class GroupCommitLog implements Log {
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

  append(record: object): Promise<Appended> {
    return new Promise((resolve, reject) => {
      // What is thrown here rejects.
      const line = this.#admit(record);
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
