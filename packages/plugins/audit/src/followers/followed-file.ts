import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { AuditError } from "../errors.js";
import { codeOf } from "../files/errors.js";
import { MAX_FILE_AGE } from "../log/format.js";
import { LineReader } from "../verify/lines.js";
import { Batches, type BatchLimits } from "./batches.js";
import { CoveredLines } from "./covered-lines.js";
import type { FollowerBatch, Position } from "./target.js";

const PIECE_BYTES = 256 * 1024;
/** What a file system says that cannot sync a file opened for reading. */
const cannotSync = new Set(["EINVAL", "EPERM", "EACCES", "EROFS", "ENOTSUP", "ENOSYS"]);

/** One log file, read from where it was delivered to. */
export class FollowedFile {
  readonly name: string;
  readonly #path: string;
  /** Where the next batch begins. */
  position: Position;
  /** Its size when the directory was last looked at. */
  bytes = 0;
  /** Why it is not followed any further. */
  damage: unknown;
  #covered: CoveredLines | undefined;
  /** The file when it was last read to its end: what is behind `position` then is an unacknowledged tail. */
  #seen: { readonly bytes: number; readonly modified: number } | undefined;

  constructor(dir: string, name: string, position: Position = { bytes: 0, records: 0 }) {
    this.name = name;
    this.#path = join(dir, name);
    this.position = position;
  }

  /** It holds bytes that were not delivered, and were not found to be an unacknowledged tail. */
  get isBehind(): boolean {
    return this.bytes > Math.max(this.position.bytes, this.#seen?.bytes ?? 0);
  }

  /** What a checkpoint covers and was not delivered. The caller moves `position` before it takes the next batch. */
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

  /** A batch that had no room was cut back, and others may stand in its place now: what looks damaged is read once more. */
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
    // What a power failure could still take back must not be elsewhere already.
    await sync(handle);
    const { bytes, records, checkpoint } = this.position;
    this.#covered ??= new CoveredLines(this.name, checkpoint);
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
    // What stands before the damage is whole.
    const batch = batches.take();
    if (batch) yield batch;
    if (damage) throw damage;
    if (covered.end < bytes || covered.size < records) throw this.#shortened(covered.end);
  }

  /** Nobody writes to a file of that age. */
  #rest(): void {
    if (this.#seen && Date.now() - this.#seen.modified > MAX_FILE_AGE) this.#covered = undefined;
  }

  #shortened(left: number): AuditError {
    return new AuditError(
      "ERR_AUDIT_FILE_DAMAGED",
      `${this.name} was delivered up to byte ${this.position.bytes}, and ${left} are left that a checkpoint covers.`,
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

const isDamage = (error: unknown): boolean => AuditError.is(error) && error.code === "ERR_AUDIT_FILE_DAMAGED";
