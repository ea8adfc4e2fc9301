import type { Run } from "./run.js";

/**
 * The runs of a list with those that changed in the place of what they were, the newest first. Of more than `most` those
 * that ended longest ago make room.
 */
export function mergeRuns(before: readonly Run[], changed: readonly Run[], most: number): readonly Run[] {
  const runs = new Map([...before, ...changed].map((run) => [run.traceId, run]));
  // A trace of which it turned out later that it is a part of another run.
  for (const { traceId, traces = [] } of changed) for (const part of traces) if (part !== traceId) runs.delete(part);
  const kept = [...runs.values()].sort((a, b) => b.end - a.end).slice(0, most);
  return kept.sort((a, b) => b.start - a.start);
}
