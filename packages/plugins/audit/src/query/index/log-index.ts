import { copyFile, constants as fs } from "node:fs/promises";
import type { Database } from "node-sqlite3-wasm";
import { AuditError } from "../../errors.js";
import type { RecordFilter } from "../filter.js";
import { type Present, presentFiles } from "./cursor.js";
import { fill } from "./fill.js";
import { bytesOf, type Known, knownOf } from "./known.js";
import { forget, TABLES, within } from "./schema.js";
import { unseal } from "./seal.js";
import { select } from "./select.js";
import { Workspace } from "./workspace.js";

/** The place of a record that may be one that was asked for. */
export interface Place {
  readonly file: string;
  readonly index: number;
  /** The line, in bytes of its file, without the newline. */
  readonly offset: number;
  readonly length: number;
}

/** Listener that is told while the index is brought up to date, and once that is over. */
export interface Progress {
  tell(read: { readonly bytes: number; readonly totalBytes: number }): void;
  end(): void;
}

/** The most bytes of log that are newer than the published index and are read anew by each query. */
const FRESH_BYTES = 8 * 1024 * 1024;
/** The published index, and what is newer, in memory. */
const KEPT = "kept";
const FRESH = "main";

/** The index of a log, as of now. */
export class LogIndex {
  readonly #dir: string;
  readonly #workspace: Workspace;
  readonly #database: Database;
  readonly #progress: Progress | undefined;
  #names: ReadonlyMap<number, string> = new Map();
  #unreadable = 0;

  private constructor(dir: string, workspace: Workspace, database: Database, progress: Progress | undefined) {
    this.#dir = dir;
    this.#workspace = workspace;
    this.#database = database;
    this.#progress = progress;
  }

  /**
   * Opens the index of a log. It is made on first use and brought up to date, and made anew where it is odd: not byte for byte
   * what was published, of files that are not what they were, or with fewer records than these have.
   */
  static async open(dir: string, progress?: Progress): Promise<LogIndex> {
    const files = await presentFiles(dir);
    const workspace = await Workspace.open(dir);
    const index = new LogIndex(dir, workspace, await memory(), progress);
    try {
      await index.#catchUp(files);
      progress?.end();
      return index;
    } catch (error) {
      const told = isDatabaseError(error) ? await index.discard() : error;
      await index.close();
      throw told;
    }
  }

  /** Lines that should be records and are none: no question finds them. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** The places of the records that may be asked for, newest first. */
  *places(filter: RecordFilter): Generator<Place> {
    const { sql, values } = select(filter, [KEPT, FRESH]);
    const statement = this.#database.prepare(sql);
    try {
      for (const { file, idx, offset, length } of statement.iterate(values)) {
        const name = this.#names.get(Number(file));
        if (name !== undefined)
          yield { file: name, index: Number(idx), offset: Number(offset), length: Number(length) };
      }
    } finally {
      statement.finalize();
    }
  }

  /** Takes the index away: it does not say what is in the log. The next one is made anew. */
  async discard(): Promise<AuditError> {
    await this.#workspace.discard();
    return new AuditError(
      "ERR_AUDIT_INDEX",
      "The index was not that of this log any more. It was discarded: ask again.",
    );
  }

  async close(): Promise<void> {
    this.#database.close();
    await this.#workspace.close();
  }

  async #catchUp(files: readonly Present[]): Promise<void> {
    const taken = await this.#workspace.take();
    const known = taken === undefined ? undefined : await this.#attach(taken, files);
    this.#database.exec(within(FRESH, TABLES));
    if (taken === undefined || known === undefined) await this.#build(files);
    else if (bytesOf(known.missing) > FRESH_BYTES) await this.#grow(taken, files);
    else await this.#fill(FRESH, known);
  }

  /** The knowledge that a published index has; undefined where it is odd. */
  async #attach(path: string, files: readonly Present[]): Promise<Known | undefined> {
    try {
      this.#database.run(`ATTACH ? AS ${KEPT}`, [path]);
      const known = await knownOf(this.#database, KEPT, this.#dir, files);
      if (known) return known;
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
    }
    this.#detach();
    return undefined;
  }

  async #build(files: readonly Present[]): Promise<void> {
    const path = this.#workspace.path("built.db");
    this.#database.run(`ATTACH ? AS ${KEPT}`, [path]);
    this.#database.exec(`PRAGMA ${KEPT}.page_size = 32768; ${UNSAFE} ${within(KEPT, TABLES)}`);
    await this.#write(path, files);
  }

  async #grow(taken: string, files: readonly Present[]): Promise<void> {
    this.#detach();
    const path = this.#workspace.path("grown.db");
    await copyFile(taken, path, fs.COPYFILE_FICLONE);
    await unseal(path);
    this.#database.run(`ATTACH ? AS ${KEPT}`, [path]);
    this.#database.exec(UNSAFE);
    await this.#write(path, files);
  }

  async #write(path: string, files: readonly Present[]): Promise<void> {
    const known = await knownOf(this.#database, KEPT, this.#dir, files);
    if (!known) throw await this.discard();
    if (known.gone.length > 0) this.#database.exec(within(KEPT, forget(known.gone)));
    await this.#fill(KEPT, known);
    await this.#workspace.publish(path);
  }

  async #fill(name: string, { names, missing, unreadable }: Known): Promise<void> {
    const totalBytes = bytesOf(missing);
    let bytes = 0;
    const found = await fill(this.#database, name, this.#dir, missing, (more) => {
      bytes += more;
      this.#progress?.tell({ bytes, totalBytes });
    });
    this.#names = names;
    this.#unreadable = unreadable + found;
  }

  #detach(): void {
    const attached = this.#database.all("PRAGMA database_list").some(({ name }) => name === KEPT);
    if (attached) this.#database.exec(`DETACH ${KEPT}`);
  }
}

/** While it is written nobody else has it, and it is synced before it is published. */
const UNSAFE = `PRAGMA ${KEPT}.journal_mode = OFF; PRAGMA ${KEPT}.synchronous = OFF;`;

const CACHE_KIB = 65_536;

/** A connection. SQLite is compiled here, and not before: only who queries pays for it. */
async function memory(): Promise<Database> {
  const { default: sqlite } = await import("node-sqlite3-wasm");
  const database = new sqlite.Database(":memory:");
  database.exec(`PRAGMA cache_size = -${CACHE_KIB};`);
  return database;
}

/** Errors of SQLite, whether it or what it read is at fault. */
export const isDatabaseError = (error: unknown): boolean => error instanceof Error && error.name === "SQLite3Error";
