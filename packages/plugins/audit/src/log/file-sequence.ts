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
 * The number of files that a process has left of which it remembers what it acknowledged there. Of the others the disk
 * tells.
 */
const MAX_LEFT = 64;

/**
 * The time in which nothing is tried after a second file in a row failed before its first record, in milliseconds; then
 * twice as long each time.
 */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 30_000;

/** The files that one process writes, one after the other: rotation, and what follows a failed one, are the same step. */
export class FileSequence {
  readonly #dir: string;
  readonly #signer: Signer;
  readonly #maxFileBytes: number;
  #log: string | undefined;
  #current: LogFile | undefined;
  #opening: Uint8Array | undefined;
  #neighbours: Neighbours | undefined;
  /**
   * The heads that were acknowledged in the files before: the disk may say more of one that failed, and less of one
   * that was removed.
   */
  readonly #left = new Map<string, Head>();
  /** The time in the last file's name. */
  #named = 0;
  #checkpoint: string | undefined;
  /** Files in a row that failed before anything was acknowledged in them. */
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

  /** Makes the directory, with the public key in it. Also what was removed since comes back with the next file. */
  async prepare(): Promise<string> {
    await ensureDirectory(this.#dir);
    await publish(this.#dir, this.#signer);
    this.#log = await identityOf(this.#dir, this.#log);
    return this.#log;
  }

  /** @throws AuditError `ERR_AUDIT_WRITE_FAILED`: none of the lines is acknowledged. */
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
    const own = file.size === 0 && this.#opening ? [this.#opening] : await this.#heads(file);
    try {
      const index = await file.commit([...own, ...lines]);
      this.#checkpoint = file.checkpoint;
      this.#barren = 0;
      return { index: index + own.length, file: file.name };
    } catch (error) {
      if (file.failed && file.size === 0) this.#pause(error);
      throw error;
    } finally {
      if (file.failed || file.full || file.bytes >= this.#maxFileBytes) await this.close().catch(() => {});
    }
  }

  /** The heads that others have written since, as a record: with it, this file's head stands for theirs as well. */
  async #heads(file: LogFile): Promise<readonly Uint8Array[]> {
    const looking = this.#neighbours?.changed(new Set([file.name, ...this.#left.keys()]));
    const heads = looking === undefined ? [] : await looking;
    if (heads.length === 0) return [];
    const newest = heads.slice(-MAX_HEADS);
    return [encodeRecord(headsRecord("heads", file.origin, newest, new Date()), nodeCryptography.sha256)];
  }

  /** A disk that fails on and on would be left one more file by each append. */
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
    // Whatever the clock does: the names of one process stand in the order in which it wrote the files.
    this.#named = Math.max(now.getTime(), this.#named + 1);
    const name = newFileName(new Date(this.#named));
    // Created before it looks around: of two that begin at once, at least one finds the other.
    const file = await LogFile.create(this.#dir, log, name, this.#signer);
    const heads = await findHeads(this.#dir, name, this.#left).catch(async (error: unknown) => {
      await file.discard();
      throw error;
    });
    this.#opening = encodeRecord(headsRecord("open", file.origin, heads, now), nodeCryptography.sha256);
    this.#neighbours = new Neighbours(this.#dir, heads);
    this.#current = file;
    return file;
  }

  #remember(head: Head): void {
    this.#left.set(head.file, head);
    for (const oldest of this.#left.keys()) {
      if (this.#left.size <= MAX_LEFT) break;
      this.#left.delete(oldest);
    }
  }
}

/** The least time between two looks for what others have written, in milliseconds. */
const LOOK_EVERY = 10_000;

/** The time after which a file that has not changed has no writer any more, in milliseconds. */
const LEFT_AFTER = MAX_FILE_AGE + 60 * 60 * 1000;

/** The files of a log that others write, as far as this process has told of them. */
export class Neighbours {
  readonly #dir: string;
  readonly #told = new Map<string, Head>();
  readonly #bytes = new Map<string, number>();
  #lookedAt = 0;

  /** @param told the heads that the opening record of this process's file names */
  constructor(dir: string, told: readonly Head[]) {
    this.#dir = dir;
    for (const head of told) this.#told.set(head.file, head);
    this.#lookedAt = performance.now();
  }

  /** The heads of files, except these, that are others than were told. Nothing, most of the time: no promise then. */
  changed(except: ReadonlySet<string>): Promise<readonly Head[]> | undefined {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_EVERY) return undefined;
    this.#lookedAt = now;
    // What cannot be looked at now is told later: no record waits for it.
    return this.#look(except).catch(() => []);
  }

  async #look(except: ReadonlySet<string>): Promise<readonly Head[]> {
    const heads: Head[] = [];
    for (const { name, bytes, changed } of await listLogFiles(this.#dir)) {
      const told = this.#told.get(name);
      if (except.has(name) || told?.closed || this.#bytes.get(name) === bytes || Date.now() - changed > LEFT_AFTER) {
        continue;
      }
      const head = await headOf(this.#dir, name);
      this.#bytes.set(name, bytes);
      if (head.size === 0 || (told?.size === head.size && told.closed === head.closed)) continue;
      this.#told.set(name, head);
      heads.push(head);
    }
    return heads;
  }
}
