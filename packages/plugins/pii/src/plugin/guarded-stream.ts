import type { Tally } from "../redact/tally.js";
import type { At, Guard } from "./guard.js";

/** A text or JSON stream that a guard watches. */
interface Inner {
  push(chunk: string): string;
  end(): string;
  release(): string;
  readonly undecided: number;
}

/** Gives out what a guard lets through: treated text; in monitor mode, or once the rules failed and it is open, the text as it came. */
export class GuardedStream {
  readonly tally: Tally;
  readonly #inner: Inner;
  readonly #guard: Guard;
  readonly #at: At;
  #failed = false;

  constructor(inner: Inner, tally: Tally, guard: Guard, at: At) {
    this.#inner = inner;
    this.tally = tally;
    this.#guard = guard;
    this.#at = at;
  }

  /** Whether something was taken out. */
  get changed(): boolean {
    return this.#guard.enforced && !this.tally.empty;
  }

  /** The amount of text that has come and is held back, in UTF-16 units. */
  get undecided(): number {
    return this.#failed || !this.#guard.enforced ? 0 : this.#inner.undecided;
  }

  push(chunk: string): string {
    return this.#failed ? chunk : this.#step(() => this.#inner.push(chunk), chunk);
  }

  end(): string {
    return this.#failed ? "" : this.#step(() => this.#inner.end(), "");
  }

  #step(step: () => string, chunk: string): string {
    let out: string;
    try {
      out = step();
    } catch (error) {
      this.#failed = true;
      this.#guard.fail(this.#at, error);
      out = this.#inner.release();
    }
    if (!this.#guard.enforced) return chunk;
    if (this.tally.blocked.length > 0) this.#guard.decide(this.#at, this.tally);
    return out;
  }
}
