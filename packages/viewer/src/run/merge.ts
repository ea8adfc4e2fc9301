import type { Run } from "./run.js";

/**
 * Merges changed runs into a list, the newest first. If there are more than `most`, the runs that ended longest ago are
 * dropped.
 */
export function mergeRuns(before: readonly Run[], changed: readonly Run[], most: number): readonly Run[] {
  const runs = new Map([...before, ...changed].map((run) => [run.traceId, run]));
  // A trace that turned out to be part of another run.
  for (const { traceId, traces = [] } of changed) for (const part of traces) if (part !== traceId) runs.delete(part);
  const newest = [...runs.values()].sort((a, b) => b.end - a.end).slice(0, most);
  return newest.sort((a, b) => b.start - a.start);
}
