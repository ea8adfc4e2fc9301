import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { checkpointIn, codeOf, LineReader, linesBack, MAX_FILE_AGE, RECORD } from "@suite/audit/internal";
import { AuditFollowersError } from "../errors.js";
import { Batches, type BatchLimits } from "./batches.js";
import { CoveredLines } from "./covered-lines.js";
import type { FollowerBatch, Position } from "./target.js";

const PIECE_BYTES = 256 * 1024;
/** Error codes of file systems that cannot sync a file opened for reading. */
const cannotSync = new Set(["EINVAL", "EPERM", "EACCES", "EROFS", "ENOTSUP", "ENOSYS"]);

/** One log file, read from its delivered position. */
export class FollowedFile {
  readonly name: string;
  readonly #path: string;
  /** The position at which the next batch begins. */
  position: Position;
  /** The file's size when the directory was last read. */
  bytes = 0;
  /** The reason why the file is not followed any further. */
  damage: unknown;
  #covered: CoveredLines | undefined;
  /**
   * The checkpoint that was delivered by an earlier process. The tree must match it again, wherever delivery begins.
   */
  readonly #delivered: string | undefined;
  #checked = false;
  /** The file when it was last read to its end. The bytes after `position` were then an unacknowledged tail. */
  #seen: { readonly bytes: number; readonly modified: number } | undefined;

  constructor(dir: string, name: string, position: Position = { bytes: 0, records: 0 }) {
    this.name = name;
    this.#path = join(dir, name);
    this.position = position;
    this.#delivered = position.checkpoint;
  }

  /** True if the file contains bytes that were neither delivered nor found to be an unacknowledged tail. */
  get isBehind(): boolean {
    return this.bytes > Math.max(this.position.bytes, this.#seen?.bytes ?? 0);
  }

  /**
   * Compares the position from a cursor with the file, once. A position at which no delivery can have ended would skip
   * lines. The file is then delivered from its beginning.
   *
   * @returns the error to report if the position does not fit
   */
  async checkPosition(): Promise<AuditFollowersError | undefined> {
    if (this.#checked || this.position.bytes > this.bytes) return undefined;
    const fits = await this.#fits();
    this.#checked = true;
    if (fits) return undefined;
    this.position = { bytes: 0, records: 0 };
    return new AuditFollowersError(
      "ERR_AUDIT_FOLLOWERS_CURSOR",
      `The cursor does not match ${this.name}: no delivery ends at its position. All lines of the file are delivered again.`,
    );
  }

  /**
   * Reads the undelivered lines that a checkpoint covers, in batches. The caller moves `position` before it takes the
   * next batch.
   */
  async *batches(limits: BatchLimits): AsyncGenerator<FollowerBatch> {
    if (this.bytes === this.position.bytes) return this.#rest();
    const handle = await open(this.#path, "r");
    try {
      const { size, mtimeMs } = await handle.stat();
      if (this.#seen?.bytes === size && this.#seen.modified === mtimeMs) return;
      yield* this.#twice(handle, limits);
      this.#seen = { bytes: size, modified: mtimeMs };
    } finally {
      await handle.close();
    }
  }

  /**
   * Reads twice if the file looks damaged. A batch that did not fit on the disk was cut off, and other lines may have
   * taken its place since.
   */
  async *#twice(handle: FileHandle, limits: BatchLimits): AsyncGenerator<FollowerBatch> {
    try {
      yield* this.#read(handle, limits);
    } catch (error) {
      this.#covered = undefined;
      if (!isDamage(error)) throw error;
      try {
        yield* this.#read(handle, limits);
      } catch (again) {
        this.#covered = undefined;
        if (isDamage(again)) this.damage = again;
        throw again;
      }
    }
  }

  async *#read(handle: FileHandle, limits: BatchLimits): AsyncGenerator<FollowerBatch> {
    const { size } = await handle.stat();
    // Data that a power failure could still undo must not be delivered.
    await sync(handle);
    const { bytes, records } = this.position;
    this.#covered ??= new CoveredLines(this.name, this.#delivered);
    const covered = this.#covered;
    covered.cutBack();
    const batches = new Batches(this.name, this.position, limits);
    let damage: unknown;
    try {
      for await (const line of linesBetween(handle, covered.end, size)) {
        for (const followed of covered.push(line)) {
          if (followed.end <= bytes) continue;
          const batch = batches.add(followed);
          if (batch) yield batch;
        }
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
      damage = error;
    }
    // The lines before the damage are valid.
    const batch = batches.take();
    if (batch) yield batch;
    if (damage) throw damage;
    if (covered.end < bytes || covered.size < records) throw this.#shortened(covered.end);
  }

  async #fits(): Promise<boolean> {
    const { bytes, records, checkpoint } = this.position;
    if (bytes === 0) return records === 0;
    const handle = await open(this.#path, "r");
    try {
      let end = bytes;
      let behind = 0;
      for await (const line of linesBack(handle, bytes)) {
        // A line must end at this byte.
        if (line.offset + line.bytes.length + 1 !== end) return false;
        end = line.offset;
        const found = checkpointIn(line.bytes, this.name);
        if (found) return found.note === checkpoint && found.size + behind === records;
        if (line.bytes[0] !== RECORD) return false;
        behind++;
      }
      return end === 0 && checkpoint === undefined && behind === records;
    } finally {
      await handle.close();
    }
  }

  /** A file of that age has no writer any more. Its tree is released. */
  #rest(): void {
    if (this.#seen && Date.now() - this.#seen.modified > MAX_FILE_AGE) this.#covered = undefined;
  }

  #shortened(left: number): AuditFollowersError {
    return new AuditFollowersError(
      "ERR_AUDIT_FOLLOWERS_FILE_DAMAGED",
      `${this.name} was delivered up to byte ${this.position.bytes}, but checkpoints now cover only ${left} bytes.`,
    );
  }
}

async function* linesBetween(handle: FileHandle, from: number, to: number) {
  const reader = new LineReader();
  for (let at = from; at < to; ) {
    const length = Math.min(PIECE_BYTES, to - at);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    for (const { bytes, offset, complete } of reader.push(buffer.subarray(0, bytesRead))) {
      yield { bytes, complete, offset: from + offset };
    }
  }
}

async function sync(handle: FileHandle): Promise<void> {
  try {
    await handle.datasync();
  } catch (error) {
    if (!cannotSync.has(codeOf(error) ?? "")) throw error;
  }
}

const isDamage = (error: unknown): boolean =>
  AuditFollowersError.is(error) && error.code === "ERR_AUDIT_FOLLOWERS_FILE_DAMAGED";
