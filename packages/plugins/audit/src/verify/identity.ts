import { logIdOf } from "../log/format.js";
import type { Checkpoint } from "../signing/checkpoint.js";
import type { Scan } from "./scan.js";
import type { Problem } from "./verdict.js";

/**
 * Files that are not of this log though its key signed them: added from another directory, say.
 *
 * @param anchors say which log is meant; without any, it is the one that most files are of
 * @param named the files that proven records of others name: files of 0.1.0, which had no identity, are known by it
 */
export function foreignFiles(
  scans: ReadonlyMap<string, Scan>,
  anchors: readonly Checkpoint[],
  named: ReadonlySet<string>,
): readonly Problem[] {
  const ids = new Map<string, string | undefined>();
  for (const [file, { head }] of scans) if (head !== undefined) ids.set(file, logIdOf(head.origin));
  const log =
    anchors.map(({ origin }) => logIdOf(origin)).find((id) => id !== undefined) ?? commonest([...ids.values()]);
  if (log === undefined) return [];
  return [...ids].flatMap(([file, id]): Problem[] => {
    if (id === log || (id === undefined && named.has(file))) return [];
    const which = id === undefined ? "a log without identity" : `the log ${id}`;
    return [{ kind: "file_foreign", file, message: `The file is of ${which}, and this is the log ${log}.` }];
  });
}

function commonest(ids: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const id of ids) if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  // Of as many, the one of the oldest file: ids stand in the order of files.
  return [...counts].reduce<readonly [string | undefined, number]>(
    (most, each) => (each[1] > most[1] ? each : most),
    [undefined, 0],
  )[0];
}
