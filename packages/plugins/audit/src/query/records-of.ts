import { join } from "node:path";
import { AuditError } from "../errors.js";
import { listLogFiles } from "../log/directory.js";
import { RECORD } from "../log/format.js";
import type { JsonObject } from "../record/canonical.js";
import { linesOf } from "./lines-of.js";

/** A record as it is stored, and where. Nothing of it is verified. */
export interface StoredRecord {
  readonly file: string;
  /** Counts from 0 in its file. */
  readonly index: number;
  /** The place of the line's first byte in the file. */
  readonly offset: number;
  /** The line without its newline: the leaf of the file's tree. */
  readonly bytes: Uint8Array;
}

/** The records of one file, in order, up to a byte of it. */
export async function* recordsOfFile(dir: string, file: string, to?: number): AsyncGenerator<StoredRecord[]> {
  let index = 0;
  for await (const lines of linesOf(join(dir, file), 0, to)) {
    const records: StoredRecord[] = [];
    for (const { bytes, offset } of lines) {
      if (bytes[0] === RECORD) records.push({ file, index: index++, offset, bytes });
    }
    yield records;
  }
}

/** The log files of a directory, oldest name first. @throws AuditError `ERR_AUDIT_NO_LOG` */
export async function logFilesOf(dir: string): Promise<readonly { readonly name: string; readonly bytes: number }[]> {
  const files = await listLogFiles(dir).catch((cause: unknown) => {
    throw new AuditError("ERR_AUDIT_NO_LOG", `${dir} cannot be read as a directory.`, { cause });
  });
  if (files.length === 0) throw new AuditError("ERR_AUDIT_NO_LOG", `${dir} holds no log: no file audit-*.jsonl.`);
  return files;
}

/** The JSON object in a line, or undefined where it is none. */
export function parseRecord(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
