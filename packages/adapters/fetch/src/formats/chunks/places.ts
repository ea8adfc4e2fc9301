import type { Delta } from "@suite/core";

/**
 * The parts of each choice that may go on. A text does until its choice ends, also behind calls, since clients join what a
 * field says. Reasoning ends where text begins: what a server reasons behind that is a part of its own.
 */
export class ChoicePlaces {
  readonly #open = new Map<number, Set<string>>();
  /** The number of times that a choice's reasoning has ended. */
  readonly #ended = new Map<number, number>();

  /** The place of a field's text. */
  at(choice: number, field: string, type: "text" | "reasoning"): string {
    const times = type === "reasoning" ? this.#ended.get(choice) : undefined;
    const at = times === undefined ? `${choice}/${field}` : `${choice}/${field}/${times}`;
    this.open(choice, at);
    return at;
  }

  open(choice: number, at: string): void {
    const open = this.#open.get(choice);
    if (open === undefined) this.#open.set(choice, new Set([at]));
    else open.add(at);
  }

  endReasoning(choice: number): readonly Delta[] {
    const open = [...(this.#open.get(choice) ?? [])].filter((at) => at.split("/")[1]?.startsWith("reasoning"));
    if (open.length === 0) return [];
    this.#ended.set(choice, (this.#ended.get(choice) ?? 0) + 1);
    return this.#end(choice, open);
  }

  /** The choice has ended, and all of it. */
  close(choice: number): readonly Delta[] {
    return this.#end(choice, [...(this.#open.get(choice) ?? [])]);
  }

  #end(choice: number, places: readonly string[]): readonly Delta[] {
    for (const at of places) this.#open.get(choice)?.delete(at);
    return places.map((at) => ({ type: "part_end", at }));
  }
}
