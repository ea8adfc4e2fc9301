import type { AuditError } from "../errors.js";
import type { AuditRecord } from "./record.js";

/** The record's owner: its subject, or the reason why it is unknown. Never part of the JSON. */
export const owner: unique symbol = Symbol("owner");

/** A record before its personal data is encrypted. */
export interface Draft extends AuditRecord {
  readonly [owner]?: string | AuditError;
}

/** A class whose constructor returns the object that it receives. */
const Itself = function (this: unknown, object: object): object {
  return object;
} as unknown as new (
  object: object,
) => object;

/**
 * Marks a record that no caller waits for, with a private field that sinks cannot see. A set of records is not used,
 * since each garbage collection would scan it.
 */
class Unhurried extends Itself {
  readonly #unhurried = true;

  static is(record: object): boolean {
    return #unhurried in record;
  }
}

/** Marks a record that no caller waits for, and returns it. A log may write it together with later records. */
export function unhurriedRecord<R extends object>(record: R): R {
  // A retried record already has the mark.
  return Unhurried.is(record) ? record : (new Unhurried(record) as R);
}

/** Returns true if no caller waits for a record. */
export const isUnhurried = (record: object): boolean => Unhurried.is(record);
