import type { Scan } from "./scan.js";
import type { Problem } from "./verdict.js";

/** A proven file must begin with an opening record. */
export function checkOpening(file: string, scan: Scan): Problem | undefined {
  if (!scan.head || scan.hasOpening) return undefined;
  const message = "The first record does not say which files were there before.";
  return { kind: "opening_missing", file, line: 1, index: 0, message };
}
