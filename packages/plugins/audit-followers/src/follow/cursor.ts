import type { FollowerBatch, FollowerTarget, Position } from "./target.js";

/** The delivered position of each file, which outlives the process. */
export interface Cursor {
  /** Returns the known positions of the files. */
  positions(files: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Position>>;
  /** Saves the position after a delivered batch. */
  advance(batch: FollowerBatch): Promise<void>;
  /** Removes all files except these from the cursor. */
  keep(files: readonly string[]): void;
}

/** Returns the cursor of a target that stores positions itself. Returns `undefined` for other targets. */
export function cursorOf(target: FollowerTarget): Cursor | undefined {
  if (target.positions === undefined) return undefined;
  const positions = target.positions.bind(target);
  return { positions, advance: async () => {}, keep: () => {} };
}
