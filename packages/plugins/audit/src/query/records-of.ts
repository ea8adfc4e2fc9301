import { join } from "node:path";
import { isRecord } from "@suite/kit";
import { AuditError } from "../errors.js";
import { listLogFiles } from "../log/directory.js";
import { RECORD } from "../log/format.js";
import type { JsonObject } from "../record/canonical.js";
import { linesOf } from "./lines-of.js";

/** A stored record with its place. Nothing is verified. */
export interface StoredRecord {
  readonly file: string;
  /** The index of the record in the file, from 0. */
  readonly index: number;
  /** The offset of the line's first byte in the file. */
  readonly offset: number;
  /** The line without its newline: the leaf of the file's tree. */
  readonly bytes: Uint8Array;
}

/** Returns the records of one file in order, up to a byte. */
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

/**
 * Returns the log files of a directory, oldest name first.
 *
 * @throws AuditError `ERR_AUDIT_NO_LOG`
 */
export async function logFilesOf(dir: string): Promise<readonly { readonly name: string; readonly bytes: number }[]> {
  const files = await listLogFiles(dir).catch((cause: unknown) => {
    throw new AuditError("ERR_AUDIT_NO_LOG", `${dir} cannot be read as a directory.`, { cause });
  });
  if (files.length === 0) throw new AuditError("ERR_AUDIT_NO_LOG", `${dir} contains no log: no file audit-*.jsonl.`);
  return files;
}

/** Parses the JSON object in a line. Returns `undefined` if it is not one. */
export function parseRecord(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
