import type { FollowerBatch, FollowerTarget, Position } from "./target.js";

/** Remembers how far each file was delivered, beyond the life of the process. */
export interface Cursor {
  /** Of these files, the positions that are known. */
  positions(files: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Position>>;
  /** A batch was delivered. */
  advance(batch: FollowerBatch): Promise<void>;
  /** There are no other files any more. */
  keep(files: readonly string[]): void;
}

/** The cursor of a target that keeps its own, if it does. */
export function cursorOf(target: FollowerTarget): Cursor | undefined {
  if (target.positions === undefined) return undefined;
  const positions = target.positions.bind(target);
  return { positions, advance: async () => {}, keep: () => {} };
}
