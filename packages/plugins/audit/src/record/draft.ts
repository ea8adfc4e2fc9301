import type { AuditError } from "../errors.js";
import type { AuditRecord } from "./record.js";

/** Whose record it is: its subject, or why that is not known. No JSON shows it. */
export const owner: unique symbol = Symbol("owner");

/** A record before what is personal in it is encrypted. */
export interface Draft extends AuditRecord {
  readonly [owner]?: string | AuditError;
}

const unhurried = new WeakSet<object>();

/** Notes that nobody waits for a record: a log may write it together with later ones. Gives the record back. */
export function unhurriedRecord<R extends object>(record: R): R {
  unhurried.add(record);
  return record;
}

/** Whether nobody waits for a record. */
export const isUnhurried = (record: object): boolean => unhurried.has(record);
