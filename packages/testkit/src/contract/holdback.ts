import { longestSecret, redactText, secretCharacter, secretsIn } from "./redact.js";

/** Passes streamed text through, except its end if a secret might still begin or continue there. */
export class Holdback {
  #held = "";

  /** The amount of text that is held back, in UTF-16 units. */
  get length(): number {
    return this.#held.length;
  }

  /** The redacted text that can go out now. */
  push(piece: string): string {
    this.#held += piece;
    const end = this.#safeEnd();
    const out = redactText(this.#held.slice(0, end));
    this.#held = this.#held.slice(end);
    return out;
  }

  /** The redacted rest: nothing more will come. */
  rest(): string {
    const out = redactText(this.#held);
    this.#held = "";
    return out;
  }

  /**
   * Returns the end of the safe text: after the last character that no secret contains. In a longer run it is before
   * everything that could still become a secret.
   */
  #safeEnd(): number {
    const held = this.#held;
    let end = held.length;
    while (end > 0 && secretCharacter.test(held.charAt(end - 1))) end--;
    if (held.length - end <= 2 * longestSecret) return end;
    const far = held.length - longestSecret;
    const across = secretsIn(held).find(([from, to]) => from < far && to > far);
    return across === undefined ? far : across[0];
  }
}
