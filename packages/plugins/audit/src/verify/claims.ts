import type { Head } from "../log/heads.js";
import type { Claim } from "./claim.js";
import type { NamedHeads } from "./named-heads.js";
import type { Scan } from "./scan.js";
import type { Problem } from "./verdict.js";

/**
 * Compares a file with a recorded head. Returns the problem, if any.
 *
 * @param deleted the head that it had when retention deleted it
 */
export function checkClaim(
  { file, size, root, closed, by }: Claim,
  scan: Scan | undefined,
  deleted: Head | undefined,
): Problem | undefined {
  const witness = by === undefined ? "The anchor" : `A record of ${by}`;
  if (!scan) {
    // A file that was empty when its head was recorded may be missing.
    if (size === 0) return undefined;
    // The root of an earlier size cannot be checked any more.
    if (deleted && (deleted.size > size || (deleted.size === size && deleted.root === root))) return undefined;
    return {
      kind: "file_missing",
      file,
      message: `${witness} names this file with ${size} records, but the file is missing.`,
    };
  }
  if (size === 0 || root === undefined) return undefined;
  const currentSize = scan.head?.size ?? 0;
  const found = scan.roots.at(size);
  if (found === root && (!closed || (scan.closed && currentSize === size))) return undefined;
  if (found === root) {
    const message = `${witness} saw this file closed after ${size} records, but it is not closed now.`;
    return { kind: currentSize > size ? "record_inserted" : "file_shortened", file, message };
  }
  if (scan.hasUnproven(size, root)) return undefined;
  if (currentSize < size) {
    const message = `${witness} saw ${size} records here, but only ${currentSize} are proven now.`;
    return { kind: "file_shortened", file, message };
  }
  const message = `${witness} saw another history here: records up to ${size - 1} differ.`;
  return { kind: "file_rewritten", file, index: 0, message };
}

/** Returns the number of records of each file that the anchors cover, directly or through heads in covered records. */
export function coverage(
  anchors: readonly Claim[],
  named: (file: string) => NamedHeads | undefined,
  damaged: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const covered = new Map<string, number>();
  const open: Head[] = [...anchors];
  for (let head = open.pop(); head; head = open.pop()) {
    const before = covered.get(head.file) ?? 0;
    if (head.size <= before || damaged.has(head.file)) continue;
    covered.set(head.file, head.size);
    open.push(...(named(head.file)?.between(before, head.size) ?? []));
  }
  return covered;
}
