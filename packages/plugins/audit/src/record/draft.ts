import type { AuditError } from "../errors.js";
import type { AuditRecord } from "./record.js";

/** Whose record it is: its subject, or why that is not known. No JSON shows it. */
export const owner: unique symbol = Symbol("owner");

/** A record before what is personal in it is encrypted. */
export interface Draft extends AuditRecord {
  readonly [owner]?: string | AuditError;
}
