import type { FollowerBatch, FollowerTarget, Position } from "./target.js";

/** A memory of how far each file was delivered, which outlives the process. */
export interface Cursor {
  /** The known positions in these files. */
  positions(files: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Position>>;
  /** Remembers that a batch was delivered. */
  advance(batch: FollowerBatch): Promise<void>;
  /** Forgets all files but these, which are all that there are. */
  keep(files: readonly string[]): void;
}

/** The cursor of a target that keeps its own, if it does. */
export function cursorOf(target: FollowerTarget): Cursor | undefined {
  if (target.positions === undefined) return undefined;
  const positions = target.positions.bind(target);
  return { positions, advance: async () => {}, keep: () => {} };
}
