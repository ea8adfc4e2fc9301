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

/** The place of a record that may match a query. */
export interface Place {
  readonly file: string;
  readonly index: number;
  /** The position of the line in its file, in bytes, without the newline. */
  readonly offset: number;
  readonly length: number;
}

/** Receives the progress of an index update, and its end. */
export interface Progress {
  tell(read: { readonly bytes: number; readonly totalBytes: number }): void;
  end(): void;
}

/** Maximum bytes of the log that are newer than the published index. Each query reads them again. */
const FRESH_BYTES = 8 * 1024 * 1024;
/** The names of two databases: the published index, and newer records in memory. */
const STORED = "kept";
const FRESH = "main";

/** The current index of a log. */
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
   * Opens the index of a log. It is created on first use and then updated. It is created anew if it is not byte for
   * byte what was published, if the files have changed, or if it has fewer records than they have.
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
      const reported = isDatabaseError(error) ? await index.discard() : error;
      await index.close();
      throw reported;
    }
  }

  /** Number of lines that should be records but are not. Queries do not find them. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** Returns the places of the records that may match, newest first. */
  *places(filter: RecordFilter): Generator<Place> {
    const { sql, values } = select(filter, [STORED, FRESH]);
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

  /** Deletes an index that does not match the log. The next query creates a new one. */
  async discard(): Promise<AuditError> {
    await this.#workspace.discard();
    return new AuditError(
      "ERR_AUDIT_INDEX",
      "The index no longer matched this log and was discarded. Repeat the query.",
    );
  }

  async close(): Promise<void> {
    this.#database.close();
    await this.#workspace.close();
  }

  async #catchUp(files: readonly Present[]): Promise<void> {
    const indexPath = await this.#workspace.take();
    const known = indexPath === undefined ? undefined : await this.#attach(indexPath, files);
    this.#database.exec(within(FRESH, TABLES));
    if (indexPath === undefined || known === undefined) await this.#build(files);
    else if (bytesOf(known.missing) > FRESH_BYTES) await this.#grow(indexPath, files);
    else await this.#fill(FRESH, known);
  }

  /** Attaches a published index and compares it with the log. Returns `undefined` if it cannot be used. */
  async #attach(path: string, files: readonly Present[]): Promise<Known | undefined> {
    try {
      this.#database.run(`ATTACH ? AS ${STORED}`, [path]);
      const known = await knownOf(this.#database, STORED, this.#dir, files);
      if (known) return known;
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
    }
    this.#detach();
    return undefined;
  }

  async #build(files: readonly Present[]): Promise<void> {
    const path = this.#workspace.path("built.db");
    this.#database.run(`ATTACH ? AS ${STORED}`, [path]);
    this.#database.exec(`PRAGMA ${STORED}.page_size = 32768; ${UNSAFE} ${within(STORED, TABLES)}`);
    await this.#write(path, files);
  }

  async #grow(indexPath: string, files: readonly Present[]): Promise<void> {
    this.#detach();
    const path = this.#workspace.path("grown.db");
    await copyFile(indexPath, path, fs.COPYFILE_FICLONE);
    await unseal(path);
    this.#database.run(`ATTACH ? AS ${STORED}`, [path]);
    this.#database.exec(UNSAFE);
    await this.#write(path, files);
  }

  async #write(path: string, files: readonly Present[]): Promise<void> {
    const known = await knownOf(this.#database, STORED, this.#dir, files);
    if (!known) throw await this.discard();
    if (known.deleted.length > 0) this.#database.exec(within(STORED, forget(known.deleted)));
    await this.#fill(STORED, known);
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
    const attached = this.#database.all("PRAGMA database_list").some(({ name }) => name === STORED);
    if (attached) this.#database.exec(`DETACH ${STORED}`);
  }
}

/** Safe here: no other process uses the file while it is written, and it is synced before it is published. */
const UNSAFE = `PRAGMA ${STORED}.journal_mode = OFF; PRAGMA ${STORED}.synchronous = OFF;`;

const CACHE_KIB = 65_536;

/** Opens a connection. SQLite is compiled here, so that only queries pay for it. */
async function memory(): Promise<Database> {
  const { default: sqlite } = await import("node-sqlite3-wasm");
  const database = new sqlite.Database(":memory:");
  database.exec(`PRAGMA cache_size = -${CACHE_KIB};`);
  return database;
}

/** Returns true for an error of SQLite, whether it or the file that it read is at fault. */
export const isDatabaseError = (error: unknown): boolean => error instanceof Error && error.name === "SQLite3Error";
