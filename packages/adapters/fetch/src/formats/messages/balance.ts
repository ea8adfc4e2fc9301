/**
 * The balance of the text that came and the text that was let through. Told as both grow: comparing two long texts for each
 * piece of them would cost their length each time.
 */
export class Balance {
  /** Whether any text came, and whether any was let through. */
  came = false;
  went = false;
  /** The text by which one of the two is ahead of the other. */
  #due = "";
  #early = "";
  #differs = false;

  /** Whether both are the same so far. */
  get even(): boolean {
    return !this.#differs && this.#due === this.#early;
  }

  comes(text: string): void {
    this.came ||= text !== "";
    if (this.#differs) return;
    this.#due += text;
    this.#cancel();
  }

  goes(text: string): void {
    this.went ||= text !== "";
    if (this.#differs) return;
    this.#early += text;
    this.#cancel();
  }

  #cancel(): void {
    if (this.#due.startsWith(this.#early)) {
      this.#due = this.#due.slice(this.#early.length);
      this.#early = "";
    } else if (this.#early.startsWith(this.#due)) {
      this.#early = this.#early.slice(this.#due.length);
      this.#due = "";
    } else {
      this.#differs = true;
      this.#due = "";
      this.#early = "";
    }
  }
}
