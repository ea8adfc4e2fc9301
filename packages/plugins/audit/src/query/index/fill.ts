import { join } from "node:path";
import type { Database, Statement } from "node-sqlite3-wasm";
import { RECORD } from "../../log/format.js";
import { hashedValuesIn, timeOf } from "../filter.js";
import { linesOf } from "../lines-of.js";
import { parseRecord } from "../records-of.js";
import { summaryOf } from "../summary.js";
import { type Cursor, marksOf, type Present } from "./cursor.js";
import { INDEXES, term, within } from "./schema.js";

/** A part of a log that is not in the index yet. */
export interface Missing {
  /** The cursor. `undefined` for a file that is new to the index. */
  readonly cursor: Cursor | undefined;
  readonly id: number;
  readonly present: Present;
}

/**
 * Indexes the missing parts in one of the databases of a connection. After a failure the database cannot be used.
 *
 * @returns the number of lines in these files that should be records but are not
 */
export async function fill(
  database: Database,
  name: string,
  dir: string,
  missing: readonly Missing[],
  onBytes: (bytes: number) => void,
): Promise<number> {
  let unread = 0;
  const into = new Rows(database, name);
  database.exec("BEGIN");
  try {
    for (const { cursor, id, present } of missing) {
      let { offset, records, unreadable } = cursor ?? { offset: 0, records: 0, unreadable: 0 };
      for await (const lines of linesOf(join(dir, present.name), offset, present.size)) {
        const before = offset;
        for (const line of lines) {
          if (line.bytes[0] === RECORD && !into.record(id, records++, line.offset, line.bytes)) unreadable++;
          offset = line.offset + line.bytes.length + 1;
        }
        onBytes(offset - before);
      }
      const marks = await marksOf(join(dir, present.name), offset);
      into.file({ ...present, ...marks, id, offset, records, unreadable });
      unread += unreadable;
    }
  } finally {
    into.close();
  }
  database.exec(`${within(name, INDEXES)} COMMIT`);
  return unread;
}

class Rows {
  readonly #file: Statement;
  readonly #record: Statement;
  readonly #mention: Statement;

  constructor(database: Database, name: string) {
    const insert = (table: string, columns: number) =>
      database.prepare(`INSERT OR REPLACE INTO ${name}.${table} VALUES (${Array(columns).fill("?")})`);
    this.#file = insert("files", 9);
    this.#record = insert("records", 13);
    this.#mention = insert("mentions", 2);
  }

  file({ id, name, offset, records, unreadable, size, changed, head, tail }: Cursor): void {
    this.#file.run([id, name, offset, records, unreadable, size, changed, head, tail]);
  }

  record(file: number, index: number, offset: number, bytes: Uint8Array): boolean {
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
    const record = parseRecord(line);
    if (!record) return false;
    const { time, type, operation, decision, run, agent, agentId, onBehalfOf } = summaryOf(record);
    const terms = [type, operation, decision, run, agent, agentId, onBehalfOf].map(term);
    const row = [null, file, index, offset, bytes.length, timeOf(time) ?? null, ...terms];
    const { lastInsertRowid } = this.#record.run(row);
    for (const value of new Set(hashedValuesIn(line))) this.#mention.run([term(value), lastInsertRowid]);
    return true;
  }

  close(): void {
    for (const statement of [this.#file, this.#record, this.#mention]) statement.finalize();
  }
}
