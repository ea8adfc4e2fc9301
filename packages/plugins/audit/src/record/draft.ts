import type { AuditError } from "../errors.js";
import type { AuditRecord } from "./record.js";

/** The record's owner: its subject, or why that is not known. No JSON shows it. */
export const owner: unique symbol = Symbol("owner");

/** A record before what is personal in it is encrypted. */
export interface Draft extends AuditRecord {
  readonly [owner]?: string | AuditError;
}

/** The mark of a record that nobody waits for. No set of records: each garbage collection would go through that. */
const unhurried = Symbol("unhurried");

/** Notes that nobody waits for a record: a log may write it together with later ones. Gives the record back. */
export function unhurriedRecord<R extends object>(record: R): R {
  // Not to be enumerated, so that whoever gets the record sees nothing of it.
  return Object.defineProperty(record, unhurried, marked);
}

const marked = { value: true };

/** Whether nobody waits for a record. */
export const isUnhurried = (record: object): boolean => unhurried in record;
