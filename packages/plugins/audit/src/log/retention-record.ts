import type { Json, JsonObject } from "../record/canonical.js";
import type { Head } from "./heads.js";
import { isHead } from "./opening.js";

/** The record that retention writes before it deletes files, with their heads. */
interface RetentionRecord {
  /**
   * The deleted heads, including those in earlier records that are deleted now. The member's name sorts it first in the
   * line.
   */
  readonly deleted: readonly Head[];
  readonly version: 1;
  readonly id: string;
  readonly time: string;
  readonly stage: "intent";
  readonly type: "log";
  readonly operation: "retain";
  /** ISO 8601. No record in the deleted files is newer. */
  readonly until: string;
}

/** Maximum number of heads in one record, which take about 40 KiB. */
export const MAX_DELETED = 200;

export const retentionRecord = (deleted: readonly Head[], until: Date): RetentionRecord => ({
  deleted,
  version: 1,
  id: crypto.randomUUID(),
  time: new Date().toISOString(),
  stage: "intent",
  type: "log",
  operation: "retain",
  until: until.toISOString(),
});

const BEGINNING = new TextEncoder().encode('{"deleted":[');

/**
 * Returns the heads in a line if it is a record of retention. Its first bytes are checked, so that no other line is
 * parsed.
 */
export function deletedIn(line: Uint8Array): readonly Head[] {
  for (let i = 0; i < BEGINNING.length; i++) if (line[i] !== BEGINNING[i]) return [];
  try {
    const { type, operation, deleted } = JSON.parse(new TextDecoder().decode(line)) as JsonObject;
    if (type !== "log" || operation !== "retain" || !Array.isArray(deleted)) return [];
    return deleted.every((head: Json) => isHead(head as JsonObject | null)) ? (deleted as unknown as Head[]) : [];
  } catch {
    return [];
  }
}
