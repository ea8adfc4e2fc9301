import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync, utimesSync, writeSync } from "node:fs";
import { PiiError } from "../errors.js";
import { full } from "../tokens/limits.js";
import type { TokenId } from "../tokens/vault.js";
import { SessionEntries } from "./session-entries.js";

/** The number of times that a session may be erased while one value is written. */
const attempts = 50;
const newline = 10;

/**
 * One session's file: a line per value, only ever appended to, each by one write in append mode, so that no process
 * needs a lock. Who has written reads on: where another process was first with the value, its line counts.
 */
export class SessionFile {
  readonly #path: string;
  readonly #key: Uint8Array;
  readonly #limit: number;
  #entries: SessionEntries;
  /** The end of the part of the file that was read. */
  #read = 0;
  /** The beginning of the file when it was read: an erased session's successor begins with something else. */
  #beginning = Buffer.alloc(0);
  #lastStat: BigIntStats | undefined;

  constructor(path: string, key: Uint8Array, limit: number) {
    this.#path = path;
    this.#key = key;
    this.#limit = limit;
    this.#entries = new SessionEntries(key);
  }

  id(label: string, value: string): TokenId {
    for (let attempt = 0; attempt < attempts; attempt++) {
      this.#refresh();
      const id = this.#entries.id(label, value) ?? this.#add(label, value);
      if (id !== undefined) return id;
    }
    throw new PiiError("ERR_PII_VAULT_FAILED", "The session was erased repeatedly while a value was being stored.");
  }

  value(id: TokenId): string | undefined {
    this.#refresh();
    return this.#entries.value(id);
  }

  /** Updates the time of the file, if no process has done so for `after` milliseconds. */
  touch(after: number): void {
    const now = Date.now();
    if (this.#lastStat !== undefined && Number(this.#lastStat.mtimeMs) + after < now) {
      this.#lastStat = undefined;
      utimesSync(this.#path, new Date(now), new Date(now));
    }
  }

  /** Reads the entries added to the file since the last read. */
  #refresh(): void {
    const stat = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const { ino, size, ctimeNs } = this.#lastStat ?? {};
    if (stat !== undefined && stat.ino === ino && stat.size === size && stat.ctimeNs === ctimeNs) return;
    this.#lastStat = stat;
    if (stat === undefined) this.#forget();
    else this.#within("r", (file) => this.#load(file));
  }

  /** Returns the token of a new value, or `undefined` if the session was erased in the meantime. */
  #add(label: string, value: string): TokenId | undefined {
    return this.#within("a+", (file) => {
      this.#load(file);
      if (this.#entries.id(label, value) === undefined) {
        if (this.#entries.size >= this.#limit) throw full(this.#limit, "one session", "maxPerSession");
        append(file, this.#entries.next(label, value));
        this.#load(file);
      }
      return this.#isStill(file) ? this.#entries.id(label, value) : undefined;
    });
  }

  #load(file: number): void {
    const size = fstatSync(file).size;
    if (size < this.#read || !bytes(file, 0, this.#beginning.length).equals(this.#beginning)) this.#forget();
    const news = bytes(file, this.#read, size - this.#read);
    const end = news.lastIndexOf(newline) + 1;
    for (const line of news.toString("latin1", 0, end).split("\n")) if (line !== "") this.#entries.add(line);
    if (this.#read === 0) this.#beginning = Buffer.from(news.subarray(0, Math.min(end, 64)));
    this.#read += end;
  }

  #forget(): void {
    this.#entries = new SessionEntries(this.#key);
    this.#read = 0;
    this.#beginning = Buffer.alloc(0);
  }

  /** Returns true if the open file is still the one at this path. */
  #isStill(file: number): boolean {
    const current = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const { ino, dev } = fstatSync(file, { bigint: true });
    return current?.ino === ino && current.dev === dev;
  }

  #within<T>(flags: "r" | "a+", work: (file: number) => T): T | undefined {
    let file: number;
    try {
      file = openSync(this.#path, flags, 0o600);
    } catch (error) {
      // Erased since it was seen.
      if ((error as NodeJS.ErrnoException).code === "ENOENT" && flags === "r") return undefined;
      throw error;
    }
    try {
      return work(file);
    } finally {
      closeSync(file);
    }
  }
}

/** One write. The line break before it ends whatever a process that was killed has left unfinished. */
function append(file: number, line: string): void {
  const whole = `\n${line}\n`;
  if (writeSync(file, whole) === whole.length) return;
  throw new PiiError("ERR_PII_VAULT_FAILED", "The vault's file cannot be written: the disk may be full.");
}

function bytes(file: number, from: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(length, 0));
  let read = 0;
  while (read < buffer.length) {
    const count = readSync(file, buffer, read, buffer.length - read, from + read);
    if (count === 0) break;
    read += count;
  }
  return buffer.subarray(0, read);
}
