import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UsageError } from "./usage.js";

/** The amount of text that is gathered before it is written, in UTF-16 units. */
const FULL = 64 * 1024;

/** The destination of treated text. */
export abstract class Output {
  #text = "";

  get full(): boolean {
    return this.#text.length >= FULL;
  }

  add(text: string): void {
    this.#text += text;
  }

  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = "";
    if (text !== "") await this.write(text);
  }

  protected abstract write(text: string): Promise<void>;

  /** All is written. */
  abstract done(): Promise<void>;

  /** Discards the output. Does nothing if it is complete. */
  abstract abandon(): Promise<void>;
}

/** Standard output, no faster than it is read. */
export class StandardOutput extends Output {
  constructor() {
    super();
    // The reader may stop early, as `head` does.
    process.stdout.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit();
    });
  }

  protected async write(text: string): Promise<void> {
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
  }

  done = (): Promise<void> => this.flush();
  abandon = (): Promise<void> => Promise.resolve();
}

/**
 * Writes a temporary file next to the target, and renames it when it is complete and on the disk, so that a partial
 * file is never visible. Keeps the permissions of the replaced file. If the target is a link, the linked file is
 * replaced.
 */
export class FileOutput extends Output {
  readonly #target: string;
  readonly #temporary: string;
  readonly #file: FileHandle;

  private constructor(target: string, temporary: string, file: FileHandle) {
    super();
    this.#target = target;
    this.#temporary = temporary;
    this.#file = file;
  }

  /** @throws UsageError if the path is not a regular file */
  static async to(path: string): Promise<FileOutput> {
    const target = await realpath(path).catch(() => path);
    const replaced = await stat(target).catch(() => undefined);
    if (replaced?.isFile() === false) throw new UsageError(`${path} is not a file that can be replaced.`);
    const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
    unfinished.add(temporary);
    // Never more readable than the file that it replaces.
    const file = await open(temporary, "wx", replaced === undefined ? 0o666 : 0o600);
    if (replaced !== undefined) {
      // Only root may change the owner. For other users the file already has the right one.
      await file.chown(replaced.uid, replaced.gid).catch(() => {});
      await file.chmod(replaced.mode & 0o7777);
    }
    return new FileOutput(target, temporary, file);
  }

  protected async write(text: string): Promise<void> {
    await this.#file.writeFile(text);
  }

  async done(): Promise<void> {
    await this.flush();
    await this.#file.sync();
    await this.#file.close();
    await rename(this.#temporary, this.#target);
    unfinished.delete(this.#temporary);
  }

  async abandon(): Promise<void> {
    if (!unfinished.has(this.#temporary)) return;
    await this.#file.close().catch(() => {});
    await rm(this.#temporary, { force: true });
    unfinished.delete(this.#temporary);
  }
}

/** Files that have not taken the name of another one yet. */
const unfinished = new Set<string>();

/** Removes half files when the program is stopped. */
export function removeWhenStopped(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      for (const file of unfinished) rmSync(file, { force: true });
      process.kill(process.pid, signal);
    });
  }
}
