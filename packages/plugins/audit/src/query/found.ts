import type { JsonObject } from "../record/canonical.js";
import { parseRecord, type StoredRecord } from "./records-of.js";
import { type Summary, summaryOf } from "./summary.js";

/** A record as it is in the log, read. Nothing of it is verified. */
export interface Found {
  readonly file: string;
  /** Counts from 0 in its file. */
  readonly index: number;
  /** The line as it is stored. */
  readonly line: string;
  readonly record: JsonObject;
  readonly summary: Summary;
  /** True where the record stands behind the last signed checkpoint: nothing shows who wrote it. */
  readonly unproven?: true;
}

/**
 * The record in a line; undefined where that is no JSON object.
 *
 * @param signedEnd where what is signed ends in its file, in bytes
 */
export function readRecord({ file, index, offset, bytes }: StoredRecord, signedEnd: number): Found | undefined {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  const record = parseRecord(line);
  const found = record && { file, index, line, record, summary: summaryOf(record) };
  return found && offset >= signedEnd ? { ...found, unproven: true } : found;
}
