import type { Database } from "node-sqlite3-wasm";
import { type Cursor, isSame, type Present } from "./cursor.js";
import type { Missing } from "./fill.js";

/** The files that are there now, as an index knows them. */
export interface Known {
  /** Names by the numbers that the index has for them. Files that are gone are left out. */
  readonly names: ReadonlyMap<number, string>;
  /** The numbers of those that are gone. */
  readonly gone: readonly number[];
  readonly missing: readonly Missing[];
  /** Lines that should be records and are none, of the files of which nothing is missing. */
  readonly unreadable: number;
}

/**
 * The part of the log that is known; undefined where a file is not what was read, or records are missing: then nothing
 * in the index can be trusted.
 */
export async function knownOf(
  database: Database,
  name: string,
  dir: string,
  files: readonly Present[],
): Promise<Known | undefined> {
  const cursors = new Map<string, Cursor>();
  for (const row of database.all(`SELECT * FROM ${name}.files`)) {
    const cursor = cursorOf(row);
    if (!cursor) return undefined;
    cursors.set(cursor.name, cursor);
  }
  if (!holdsAll(database, name, [...cursors.values()])) return undefined;
  const names = new Map<number, string>();
  const missing: Missing[] = [];
  let unreadable = 0;
  let next = 1 + Math.max(0, ...Array.from(cursors.values(), ({ id }) => id));
  for (const present of files) {
    const cursor = cursors.get(present.name);
    if (cursor && !(await isSame(dir, cursor, present))) return undefined;
    const id = cursor?.id ?? next++;
    names.set(id, present.name);
    if (present.size !== (cursor?.size ?? 0)) missing.push({ id, cursor, present });
    else unreadable += cursor?.unreadable ?? 0;
  }
  const gone = Array.from(cursors.values(), ({ id }) => id).filter((id) => !names.has(id));
  return { names, gone, missing, unreadable };
}

/** Whether there are as many records as were read. */
function holdsAll(database: Database, name: string, cursors: readonly Cursor[]): boolean {
  const read = cursors.reduce((sum, { records, unreadable }) => sum + records - unreadable, 0);
  return database.get(`SELECT count(*) AS count FROM ${name}.records`)?.count === read;
}

/** The bytes of the log that are missing. */
export const bytesOf = (missing: readonly Missing[]): number =>
  missing.reduce((sum, { cursor, present }) => sum + present.size - (cursor?.offset ?? 0), 0);

/** The cursor of a row; undefined where that is none that was written. */
function cursorOf(row: object): Cursor | undefined {
  const { name, ...numbers } = row as Record<string, unknown>;
  const { id, offset, records, unreadable, size, changed, head, tail } = numbers;
  const cursor = { id, offset, records, unreadable, size, changed, head, tail };
  return typeof name === "string" && allNumbers(cursor) ? { name, ...cursor } : undefined;
}

const allNumbers = <K extends string>(given: Record<K, unknown>): given is Record<K, number> =>
  Object.values(given).every((value) => typeof value === "number");
