import type { JsonObject } from "../json/canonical.js";
import type { Head } from "../log/heads.js";
import { headsOf } from "../log/opening.js";
import { LineReader } from "./lines.js";
import type { Scan } from "./scan.js";
import type { LogFileSource } from "./sources.js";
import type { Problem } from "./verdict.js";

/** The heads that a file's first line names: none where it is not an opening record. */
export async function openingOf(source: LogFileSource): Promise<readonly Head[]> {
  const reader = new LineReader();
  for await (const piece of source.read()) {
    for (const { bytes } of reader.push(piece)) return parseOpening(bytes) ?? [];
  }
  return [];
}

/** A proven file must begin with an opening record. */
export function checkOpening(file: string, scan: Scan): Problem | undefined {
  if (!scan.head || (scan.opening && parseOpening(scan.opening))) return undefined;
  const message = "The first record does not say which files were there before.";
  return { kind: "opening_missing", file, line: 1, index: 0, message };
}

function parseOpening(bytes: Uint8Array): readonly Head[] | undefined {
  try {
    const record = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject | null;
    return record ? headsOf(record) : undefined;
  } catch {
    return undefined;
  }
}
