import { type FileHandle, open, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { toBase64 } from "@suite/kit";
import { AuditError } from "../errors.js";
import { syncDirectory } from "../files/directory.js";
import { codeOf } from "../files/errors.js";
import { rootOf } from "../signing/checkpoint.js";
import { MerkleTree } from "../signing/merkle.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import { type Signer, signCheckpoint } from "../signing/signer.js";
import { originOf } from "./format.js";
import type { Head } from "./heads.js";
import { encodeCheckpoint, joinLines } from "./line.js";

/** Errors for no room: for now on the file system or in a quota, or permanently in this file. */
const noRoom = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Minimum time between two checks that the file is still in its place, in milliseconds. */
const LOOK_EVERY = 1000;

/**
 * One file of a log, with one writer. It is created, appended to by commits, and closed permanently. A byte or record
 * is acknowledged if its commit was written, synced to the disk, and signed by a checkpoint.
 */
export class LogFile {
  readonly name: string;
  readonly origin: string;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #signer: Signer;
  #tree = new MerkleTree(nodeCryptography.sha256);
  #commits = 0;
  #bytes = 0;
  #checkpoint: string | undefined;
  /** The hash of the line of that checkpoint, which the next one contains. */
  #previous: string | undefined;
  #failed = false;
  #full = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  #closed = false;

  private constructor(dir: string, log: string, name: string, handle: FileHandle, signer: Signer) {
    this.name = name;
    this.origin = originOf(signer.name, log, name);
    this.#path = join(dir, name);
    this.#handle = handle;
    this.#signer = signer;
  }

  /**
   * Creates a file whose entry in the directory is durable.
   *
   * @param log the id of the log
   * @param name the name of the file
   */
  static async create(dir: string, log: string, name: string, signer: Signer): Promise<LogFile> {
    const file = new LogFile(dir, log, name, await open(join(dir, name), "wx", 0o600), signer);
    try {
      await syncDirectory(dir);
      return file;
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  /** The number of acknowledged bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of acknowledged records. */
  get size(): number {
    return this.#tree.size;
  }

  /** The tree head of the acknowledged records: their number and the root of their Merkle tree. */
  get head(): Head {
    const file = this.name;
    if (this.size === 0) return { file, size: 0 };
    return { file, size: this.size, root: rootOf(this.#tree), ...(this.#closed && { closed: true }) };
  }

  /** The last acknowledged checkpoint: a signed note of C2SP. */
  get checkpoint(): string | undefined {
    return this.#checkpoint;
  }

  /** True if a commit failed and the data after the acknowledged bytes is unknown. Nothing more may be written here. */
  get failed(): boolean {
    return this.#failed;
  }

  /** True if a commit failed because a system limit stops the file from growing. The next records need another file. */
  get full(): boolean {
    return this.#full;
  }

  /**
   * Commits lines, all or none: one write with a signed checkpoint at its end, and one fdatasync. One commit at a time.
   *
   * @returns the index of the first line in the file
   * @throws the error of the file system, or AuditError `ERR_AUDIT_SIGNING_FAILED`, `ERR_AUDIT_INVALID_SIGNATURE` or
   * `ERR_AUDIT_WRITE_FAILED`. Then no line is acknowledged.
   */
  async commit(lines: readonly Uint8Array[]): Promise<number> {
    await this.#look();
    const tree = this.#tree.copy();
    for (const line of lines) tree.append(line);
    const previous = this.#previous;
    const head = { origin: this.origin, size: tree.size, root: rootOf(tree), commit: this.#commits + 1 };
    const named = previous === undefined ? head : { ...head, previous };
    const checkpoint = await signCheckpoint(named, this.#signer, nodeCryptography);
    const line = encodeCheckpoint(checkpoint);
    const bytes = joinLines([...lines, line]);
    await this.#write(bytes);
    await this.#sync();
    const index = this.#tree.size;
    this.#tree = tree;
    this.#commits++;
    this.#bytes += bytes.length;
    this.#checkpoint = checkpoint;
    this.#previous = toBase64(nodeCryptography.sha256(line));
    return index;
  }

  /**
   * Closes the file with one more checkpoint without new records. It proves to a verifier that the last commit was
   * acknowledged, since it is written only then.
   */
  async close(): Promise<void> {
    try {
      // All records are already synced. If this checkpoint fails, only that proof is missing, so `close` does not fail.
      if (!this.#failed && this.#tree.size > 0) {
        this.#closed = await this.commit([]).then(
          () => true,
          () => false,
        );
      }
    } finally {
      await this.#handle.close();
    }
  }

  /** Closes and deletes a file without records. */
  async discard(): Promise<void> {
    await this.close().catch(() => {});
    await unlink(this.#path).catch(() => {});
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      for (let written = 0; written < bytes.length; ) {
        written += (await this.#handle.write(bytes, written, bytes.length - written, this.#bytes + written))
          .bytesWritten;
      }
    } catch (error) {
      const code = codeOf(error) ?? "";
      this.#failed = !noRoom.has(code) || !(await this.#cutBack());
      this.#full = code === "EFBIG" && this.#tree.size > 0;
      throw error;
    }
  }

  /**
   * Cuts the file back to the last acknowledged byte.
   *
   * @returns false if that failed
   */
  #cutBack(): Promise<boolean> {
    return this.#handle.truncate(this.#bytes).then(
      () => true,
      () => false,
    );
  }

  /**
   * Syncs the file, only once: after a failed sync the kernel may have dropped the pages, and the next sync would
   * succeed.
   */
  async #sync(): Promise<void> {
    try {
      await this.#handle.datasync();
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  /**
   * Checks now and then that the file still exists under its name: writing and syncing also succeed in a file that was
   * removed or moved.
   */
  async #look(): Promise<void> {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_EVERY) return;
    const found = await stat(this.#path).catch(() => undefined);
    this.#lookedAt = now;
    if (found?.size === this.#bytes) return;
    this.#failed = true;
    throw new AuditError(
      "ERR_AUDIT_WRITE_FAILED",
      `${this.name} was removed, moved or changed from outside, with ${this.size} acknowledged records in it. The next records go to a new file.`,
    );
  }
}
