import type { JsonObject } from "../record/canonical.js";
import type { Head } from "./heads.js";

/** A record about the log: the heads of other files that its writer has seen. */
interface HeadsRecord {
  readonly version: 1;
  readonly id: string;
  readonly time: string;
  readonly stage: "outcome";
  readonly type: "log";
  /**
   * `open` is the first record of every file and links the file to those that existed before it. `heads` records come
   * later.
   */
  readonly operation: "open" | "heads";
  readonly origin: string;
  /** The heads of other files. The member's name sorts it first in the line. */
  readonly heads: readonly Head[];
}

export const headsRecord = (
  operation: HeadsRecord["operation"],
  origin: string,
  heads: readonly Head[],
  now: Date,
): HeadsRecord => ({
  version: 1,
  id: crypto.randomUUID(),
  time: now.toISOString(),
  stage: "outcome",
  type: "log",
  operation,
  origin,
  heads,
});

const BEGINNING = new TextEncoder().encode('{"heads":[');

/**
 * Returns the heads in a line if it is a record of heads. Its first bytes are checked, so that no other line is parsed.
 */
export function headsIn(line: Uint8Array): readonly Head[] | undefined {
  for (let i = 0; i < BEGINNING.length; i++) if (line[i] !== BEGINNING[i]) return undefined;
  try {
    return headsOf(JSON.parse(new TextDecoder().decode(line)) as JsonObject);
  } catch {
    return undefined;
  }
}

/** Returns the heads in an `open` or `heads` record. Returns `undefined` for any other record. */
function headsOf(record: JsonObject): readonly Head[] | undefined {
  const { type, operation, heads } = record;
  if (type !== "log" || (operation !== "open" && operation !== "heads") || !Array.isArray(heads)) return undefined;
  return (heads as readonly JsonObject[]).every(isHead) ? (heads as unknown as readonly Head[]) : undefined;
}

export const isHead = (head: JsonObject | null): boolean =>
  typeof head?.file === "string" &&
  Number.isSafeInteger(head.size) &&
  (head.root === undefined || typeof head.root === "string");
