import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isGone } from "../files/errors.js";
import { listLogFiles } from "../log/directory.js";
import { RECORD } from "../log/format.js";
import { type Found, readRecord } from "./found.js";
import { linesOf } from "./lines-of.js";
import { SignedEnds } from "./signed-end.js";

/** The time between two reads, in milliseconds. Not every file system reports changes. */
const EVERY_MS = 500;

/**
 * Returns the records that are appended from now on, without end, in existing and new files.
 *
 * @param seen the files with their sizes at the last read
 * @param unproven true to include records that no checkpoint covers yet
 */
export async function* newRecords(
  dir: string,
  seen: readonly { readonly name: string; readonly bytes: number }[],
  unproven: boolean,
): AsyncGenerator<Found> {
  const files = new Map(seen.map(({ name, bytes }) => [name, new GrowingFile(dir, name, bytes)]));
  const ends = await SignedEnds.of(dir);
  for (;;) {
    for (const { name, bytes } of await listLogFiles(dir)) {
      const file = files.get(name) ?? new GrowingFile(dir, name, 0);
      files.set(name, file);
      if (file.size >= bytes) continue;
      const end = await ends.endOf(name, bytes);
      yield* file.read(unproven ? bytes : end, end);
    }
    await setTimeout(EVERY_MS);
  }
}

class GrowingFile {
  readonly #dir: string;
  readonly #name: string;
  /** Bytes that existed before. Their records are not returned. */
  readonly #before: number;
  #offset = 0;
  #records = 0;
  #size: number;

  constructor(dir: string, name: string, before: number) {
    this.#dir = dir;
    this.#name = name;
    this.#before = before;
    this.#size = before;
  }

  /** Bytes that were read. */
  get size(): number {
    return this.#size;
  }

  /** Returns the new records up to a byte. Earlier records are only counted, and only when that is needed. */
  async *read(size: number, signedEnd: number): AsyncGenerator<Found> {
    if (size <= this.#size) return;
    this.#size = size;
    try {
      for await (const lines of linesOf(join(this.#dir, this.#name), this.#offset, size)) {
        for (const { bytes, offset } of lines) {
          this.#offset = offset + bytes.length + 1;
          if (bytes[0] !== RECORD) continue;
          const index = this.#records++;
          if (this.#offset <= this.#before) continue;
          const found = readRecord({ file: this.#name, index, offset, bytes }, signedEnd);
          if (found) yield found;
        }
      }
    } catch (error) {
      // Retention may have deleted it in the meantime.
      if (!isGone(error)) throw error;
    }
  }
}
