import { assembleReply, type Delta, type FinishDelta, type Part } from "@suite/core";

/** The parts that the layers let through, by place. */
export class Ledger {
  readonly #deltas = new Map<string, Delta[]>();
  finish: FinishDelta | undefined;

  add(delta: Delta): void {
    if (delta.type === "finish") this.finish = { ...this.finish, ...delta };
    else if (delta.type !== "event") {
      const known = this.#deltas.get(delta.at);
      if (known === undefined) this.#deltas.set(delta.at, [delta]);
      else known.push(delta);
    }
  }

  /** The places, in order of first appearance. */
  places(): IterableIterator<string> {
    return this.#deltas.keys();
  }

  has(at: string): boolean {
    return this.#deltas.has(at);
  }

  /** The part that all pieces at a place add up to. */
  part(at: string): Part | undefined {
    const deltas = this.#deltas.get(at);
    if (deltas === undefined) return undefined;
    const [only] = deltas;
    if (deltas.length === 1 && only?.type === "part") return only.part;
    return assembleReply(deltas).message.parts[0];
  }
}
