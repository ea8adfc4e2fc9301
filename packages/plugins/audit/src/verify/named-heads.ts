import type { Head } from "../log/heads.js";

/** The head of another file, and the index of the record that names it. */
export interface NamedHead extends Head {
  readonly at: number;
}

/** The most heads of one file that are kept, the last one among them. */
const MAX_KEPT = 256;

/** The heads of other files that the records of one file name. Of a file that is named very often, every second is left out. */
export class NamedHeads {
  readonly #kept = new Map<string, NamedHead[]>();

  add(at: number, heads: readonly Head[]): void {
    for (const head of heads) {
      const kept = this.#kept.get(head.file) ?? [];
      const room = kept.length < MAX_KEPT ? kept : kept.filter((_, n) => n % 2 === 1);
      room.push({ ...head, at });
      this.#kept.set(head.file, room);
    }
  }

  /** The heads that records name whose index is at least `from`, and less than `to`. */
  between(from: number, to: number): readonly NamedHead[] {
    return [...this.#kept.values()].flat().filter(({ at }) => at >= from && at < to);
  }
}
