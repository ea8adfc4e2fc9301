/** The number of bytes that may be on their way. */
export class Quota {
  readonly #limit: number;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get unused(): boolean {
    return this.#taken === 0;
  }

  /** False: that is too much now. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#limit) return false;
    this.#taken += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#taken -= bytes;
  }
}
