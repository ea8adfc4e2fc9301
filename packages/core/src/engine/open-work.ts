import type { CallId } from "../contract/kinds.js";

/** Open work that a run has to end: an answer that has not settled, or a call whose layers have not returned. */
export interface Open {
  /** Dooms the work: whatever it does from here, it is cancelled. */
  doom(reason: unknown): void;
  /** Resolves when it is over, never rejects. */
  cancel(reason: unknown): Promise<void>;
}

/** All that is open in one run, and the calls that it is of. */
export class OpenWork extends Map<Open, CallId> {
  /** Lets consumers go at once. */
  doom(reason: unknown): void {
    for (const open of this.keys()) open.doom(reason);
  }

  /** Children are over before their parents. */
  async cancel(reason: unknown): Promise<void> {
    const levels: Open[][] = [];
    for (const [open, call] of this) {
      const level = depth(call);
      levels[level] ??= [];
      levels[level].unshift(open);
    }
    for (const level of levels.reverse()) await Promise.all((level ?? []).map((open) => open.cancel(reason)));
  }
}

const depth = ({ parent }: CallId): number => (parent === undefined ? 0 : 1 + depth(parent));
