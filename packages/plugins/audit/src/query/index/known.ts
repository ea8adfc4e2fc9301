import type { Database } from "node-sqlite3-wasm";
import { type Cursor, isSame, type Present } from "./cursor.js";
import type { Missing } from "./fill.js";

/** The current files and their state in the index. */
export interface Known {
  /** File names by their number in the index. Deleted files are omitted. */
  readonly names: ReadonlyMap<number, string>;
  /** The numbers of the deleted files. */
  readonly deleted: readonly number[];
  readonly missing: readonly Missing[];
  /** Number of lines that should be records but are not, in the files that are completely indexed. */
  readonly unreadable: number;
}

/**
 * Compares an index with the log. Returns `undefined` if a file has changed or records are missing in the index: then
 * nothing in the index can be trusted.
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
  const deleted = Array.from(cursors.values(), ({ id }) => id).filter((id) => !names.has(id));
  return { names, deleted, missing, unreadable };
}

/** Returns true if the index has as many records as were read. */
function holdsAll(database: Database, name: string, cursors: readonly Cursor[]): boolean {
  const read = cursors.reduce((sum, { records, unreadable }) => sum + records - unreadable, 0);
  return database.get(`SELECT count(*) AS count FROM ${name}.records`)?.count === read;
}

/** Returns the number of bytes that are not indexed yet. */
export const bytesOf = (missing: readonly Missing[]): number =>
  missing.reduce((sum, { cursor, present }) => sum + present.size - (cursor?.offset ?? 0), 0);

/** Reads the cursor of a row. Returns `undefined` if it is not valid. */
function cursorOf(row: object): Cursor | undefined {
  const { name, ...numbers } = row as Record<string, unknown>;
  const { id, offset, records, unreadable, size, changed, head, tail } = numbers;
  const cursor = { id, offset, records, unreadable, size, changed, head, tail };
  return typeof name === "string" && allNumbers(cursor) ? { name, ...cursor } : undefined;
}

const allNumbers = <K extends string>(row: Record<K, unknown>): row is Record<K, number> =>
  Object.values(row).every((value) => typeof value === "number");
