import type { AuditError } from "../errors.js";
import type { AuditRecord } from "./record.js";

/** The record's owner: its subject, or why that is not known. No JSON shows it. */
export const owner: unique symbol = Symbol("owner");

/** A record before what is personal in it is encrypted. */
export interface Draft extends AuditRecord {
  readonly [owner]?: string | AuditError;
}

/** A class whose constructor gives back the object that it was given. */
const Itself = function (this: unknown, object: object): object {
  return object;
} as unknown as new (
  object: object,
) => object;

/**
 * The mark of a record that nobody waits for: a private field, so that whoever gets the record sees nothing of it. No set of
 * records, since each garbage collection would go through that.
 */
class Unhurried extends Itself {
  readonly #unhurried = true;

  static is(record: object): boolean {
    return #unhurried in record;
  }
}

/** Notes that nobody waits for a record: a log may write it together with later ones. Gives the record back. */
export function unhurriedRecord<R extends object>(record: R): R {
  // It has the mark already where it is tried again.
  return Unhurried.is(record) ? record : (new Unhurried(record) as R);
}

/** Whether nobody waits for a record. */
export const isUnhurried = (record: object): boolean => Unhurried.is(record);
