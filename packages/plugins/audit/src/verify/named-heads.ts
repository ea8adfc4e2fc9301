import type { Head } from "../log/heads.js";

/** The head of another file, and the index of the record that contains it. */
export interface NamedHead extends Head {
  readonly at: number;
}

/** Maximum number of heads per file. The last one is always kept. */
const MAX_HEADS = 256;

/** The heads of other files that the records of one file contain. If a file has too many, every second is dropped. */
export class NamedHeads {
  readonly #heads = new Map<string, NamedHead[]>();

  add(at: number, heads: readonly Head[]): void {
    for (const head of heads) {
      const heads = this.#heads.get(head.file) ?? [];
      const room = heads.length < MAX_HEADS ? heads : heads.filter((_, n) => n % 2 === 1);
      room.push({ ...head, at });
      this.#heads.set(head.file, room);
    }
  }

  /** Returns the heads in records with an index from `from` up to, but not including, `to`. */
  between(from: number, to: number): readonly NamedHead[] {
    return [...this.#heads.values()].flat().filter(({ at }) => at >= from && at < to);
  }
}
