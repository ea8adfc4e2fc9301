import { AuditError } from "../errors.js";
import { ensureDirectory } from "../files/directory.js";
import { codeOf } from "../files/errors.js";
import { publish } from "../signing/key-files.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import type { Signer } from "../signing/signer.js";
import { listLogFiles } from "./directory.js";
import { MAX_FILE_AGE, newFileName } from "./format.js";
import { findHeads, type Head, headOf, MAX_HEADS } from "./heads.js";
import { identityOf } from "./identity.js";
import { encodeRecord } from "./line.js";
import { LogFile } from "./log-file.js";
import { headsRecord } from "./opening.js";

/**
 * Maximum number of finished files whose acknowledged heads a process remembers. The heads of older files are read from
 * the disk.
 */
const MAX_LEFT_FILES = 64;

/**
 * The pause after a second file in a row failed before its first record, in milliseconds. It doubles with each further
 * failure.
 */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 30_000;

/**
 * The files that one process writes, one after another. Rotation and the recovery from a failed file are the same step.
 */
export class FileSequence {
  readonly #dir: string;
  readonly #signer: Signer;
  readonly #maxFileBytes: number;
  #log: string | undefined;
  #current: LogFile | undefined;
  #opening: Uint8Array | undefined;
  #neighbours: Neighbours | undefined;
  /**
   * The acknowledged heads of finished files. The disk may contain more of a file that failed, and less of one that was
   * removed.
   */
  readonly #leftFiles = new Map<string, Head>();
  /** The time in the last file's name. */
  #named = 0;
  #checkpoint: string | undefined;
  /** Number of files in a row that failed before a record was acknowledged in them. */
  #barren = 0;
  #pausedUntil = 0;
  #lastFailure: unknown;

  constructor(dir: string, signer: Signer, maxFileBytes = 64 * 1024 * 1024) {
    this.#dir = dir;
    this.#signer = signer;
    this.#maxFileBytes = maxFileBytes;
  }

  get checkpoint(): string | undefined {
    return this.#checkpoint;
  }

  /** Creates the directory with the public key. If they were removed, the next file restores them. */
  async prepare(): Promise<string> {
    await ensureDirectory(this.#dir);
    await publish(this.#dir, this.#signer);
    this.#log = await identityOf(this.#dir, this.#log);
    return this.#log;
  }

  /** @throws AuditError `ERR_AUDIT_WRITE_FAILED`: none of the lines is acknowledged */
  async commit(lines: readonly Uint8Array[]): Promise<{ index: number; file: string }> {
    try {
      return await this.#commit(lines);
    } catch (cause) {
      if (AuditError.is(cause)) throw cause;
      const code = codeOf(cause) ?? "an error";
      const what = lines.length === 1 ? "A record was" : `${lines.length} records were`;
      throw new AuditError("ERR_AUDIT_WRITE_FAILED", `${what} not made durable: ${code} in ${this.#dir}.`, { cause });
    }
  }

  async close(): Promise<void> {
    const file = this.#current;
    if (!file) return;
    this.#current = undefined;
    try {
      await file.close();
    } finally {
      this.#remember(file.head);
    }
  }

  async #commit(lines: readonly Uint8Array[]): Promise<{ index: number; file: string }> {
    if (this.#current && Date.now() - this.#named >= MAX_FILE_AGE) await this.close().catch(() => {});
    this.#checkPause();
    const file = this.#current ?? (await this.#begin());
    const opening = file.size === 0 && this.#opening ? [this.#opening] : await this.#heads(file);
    try {
      const index = await file.commit([...opening, ...lines]);
      this.#checkpoint = file.checkpoint;
      this.#barren = 0;
      return { index: index + opening.length, file: file.name };
    } catch (error) {
      if (file.failed && file.size === 0) this.#pause(error);
      throw error;
    } finally {
      if (file.failed || file.full || file.bytes >= this.#maxFileBytes) await this.close().catch(() => {});
    }
  }

  /**
   * Returns a record with the heads that other processes have written since. This file's head then also covers theirs.
   */
  async #heads(file: LogFile): Promise<readonly Uint8Array[]> {
    const looking = this.#neighbours?.changed(new Set([file.name, ...this.#leftFiles.keys()]));
    const heads = looking === undefined ? [] : await looking;
    if (heads.length === 0) return [];
    const newest = heads.slice(-MAX_HEADS);
    return [encodeRecord(headsRecord("heads", file.origin, newest, new Date()), nodeCryptography.sha256)];
  }

  /** Pauses after repeated failures. Otherwise each append would leave one more file on a failing disk. */
  #pause(failure: unknown): void {
    this.#lastFailure = failure;
    if (++this.#barren < 2) return;
    this.#pausedUntil = performance.now() + Math.min(FIRST_PAUSE * 2 ** (this.#barren - 2), LONGEST_PAUSE);
  }

  #checkPause(): void {
    if (this.#current === undefined && performance.now() < this.#pausedUntil) throw this.#lastFailure;
  }

  async #begin(): Promise<LogFile> {
    const log = await this.prepare();
    const now = new Date();
    // Keeps the names of one process in the order of its files, even if the clock goes back.
    this.#named = Math.max(now.getTime(), this.#named + 1);
    const name = newFileName(new Date(this.#named));
    // Created before other files are read: if two processes begin at once, at least one finds the other.
    const file = await LogFile.create(this.#dir, log, name, this.#signer);
    const heads = await findHeads(this.#dir, name, this.#leftFiles).catch(async (error: unknown) => {
      await file.discard();
      throw error;
    });
    this.#opening = encodeRecord(headsRecord("open", file.origin, heads, now), nodeCryptography.sha256);
    this.#neighbours = new Neighbours(this.#dir, heads);
    this.#current = file;
    return file;
  }

  #remember(head: Head): void {
    this.#leftFiles.set(head.file, head);
    for (const oldest of this.#leftFiles.keys()) {
      if (this.#leftFiles.size <= MAX_LEFT_FILES) break;
      this.#leftFiles.delete(oldest);
    }
  }
}

/** Minimum time between two reads of the files of others, in milliseconds. */
const LOOK_EVERY = 10_000;

/** The time after which an unchanged file has no writer any more, in milliseconds. */
const ABANDONED_AFTER = MAX_FILE_AGE + 60 * 60 * 1000;

/** The files of a log that other processes write, and their heads that this process has recorded. */
export class Neighbours {
  readonly #dir: string;
  readonly #known = new Map<string, Head>();
  readonly #bytes = new Map<string, number>();
  #lookedAt = 0;

  /** @param heads the heads in the opening record of this process's file */
  constructor(dir: string, heads: readonly Head[]) {
    this.#dir = dir;
    for (const head of heads) this.#known.set(head.file, head);
    this.#lookedAt = performance.now();
  }

  /**
   * Returns the changed heads of all files except these. Returns `undefined` without a promise if it is too early to
   * read them, which is the usual case.
   */
  changed(except: ReadonlySet<string>): Promise<readonly Head[]> | undefined {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_EVERY) return undefined;
    this.#lookedAt = now;
    // Files that cannot be read now are recorded later. No record waits for them.
    return this.#look(except).catch(() => []);
  }

  async #look(except: ReadonlySet<string>): Promise<readonly Head[]> {
    const heads: Head[] = [];
    for (const { name, bytes, changed } of await listLogFiles(this.#dir)) {
      const known = this.#known.get(name);
      if (
        except.has(name) ||
        known?.closed ||
        this.#bytes.get(name) === bytes ||
        Date.now() - changed > ABANDONED_AFTER
      ) {
        continue;
      }
      const head = await headOf(this.#dir, name);
      this.#bytes.set(name, bytes);
      if (head.size === 0 || (known?.size === head.size && known.closed === head.closed)) continue;
      this.#known.set(name, head);
      heads.push(head);
    }
    return heads;
  }
}
