import { listLogFiles } from "./directory.js";
import { MAX_FILE_AGE } from "./format.js";
import { type Head, headOf } from "./heads.js";

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
