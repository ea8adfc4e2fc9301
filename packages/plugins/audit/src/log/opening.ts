import type { JsonObject } from "../json/canonical.js";
import type { Head } from "./heads.js";

/** The first record of every file: it ties the file to those that were there before it. */
interface OpeningRecord {
  readonly version: 1;
  readonly id: string;
  readonly time: string;
  readonly stage: "outcome";
  readonly type: "log";
  readonly operation: "open";
  readonly origin: string;
  readonly heads: readonly Head[];
}

export const openingRecord = (origin: string, heads: readonly Head[], now: Date): OpeningRecord => ({
  version: 1,
  id: crypto.randomUUID(),
  time: now.toISOString(),
  stage: "outcome",
  type: "log",
  operation: "open",
  origin,
  heads,
});

/** The heads in a first record, or undefined where it is not one. */
export function headsOf(record: JsonObject): readonly Head[] | undefined {
  const { type, operation, heads } = record;
  if (type !== "log" || operation !== "open" || !Array.isArray(heads)) return undefined;
  return (heads as readonly JsonObject[]).every(isHead) ? (heads as unknown as readonly Head[]) : undefined;
}

export const isHead = (head: JsonObject | null): boolean =>
  typeof head?.file === "string" &&
  Number.isSafeInteger(head.size) &&
  (head.root === undefined || typeof head.root === "string");
