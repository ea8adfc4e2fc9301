import type { JsonObject } from "../record/canonical.js";
import { parseRecord, type StoredRecord } from "./records-of.js";
import { type Summary, summaryOf } from "./summary.js";

/** A parsed record of a log. Nothing is verified. */
export interface Found {
  readonly file: string;
  /** The index in its file, from 0. */
  readonly index: number;
  /** The line as stored. */
  readonly line: string;
  readonly record: JsonObject;
  readonly summary: Summary;
  /** True if the record is after the last signed checkpoint: nothing proves who wrote it. */
  readonly unproven?: true;
}

/**
 * Parses the record in a line. Returns `undefined` if it is not a JSON object.
 *
 * @param signedEnd the end of the signed part of its file, in bytes
 */
export function readRecord({ file, index, offset, bytes }: StoredRecord, signedEnd: number): Found | undefined {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  const record = parseRecord(line);
  const found = record && { file, index, line, record, summary: summaryOf(record) };
  return found && offset >= signedEnd ? { ...found, unproven: true } : found;
}
