import type { CallId } from "../contract/kinds.js";

/** Work that a run has to end: an answer that has not settled, or a call whose layers have not returned. */
export interface Open {
  /** Decides that the work ends as cancelled, whatever it does afterwards. */
  doom(reason: unknown): void;
  /** Ends the work. Resolves when it has ended, never rejects. */
  cancel(reason: unknown): Promise<void>;
}

/** The open work of a run, with its calls. */
export class OpenWork extends Map<Open, CallId> {
  /** Releases all consumers at once. */
  doom(reason: unknown): void {
    for (const open of this.keys()) open.doom(reason);
  }

  /** Cancels all work, children before their parents. */
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
