import type { Delta, Emit } from "@suite/core";

/**
 * An answer that is held back from its first text on, until somebody has decided on the whole of it. What comes before its
 * text, such as reasoning, goes out at once. One that calls a tool is let go: it is no final answer.
 */
export class HeldAnswer {
  /** Whether there was more text than is held back; the rest of it is dropped. */
  overflown = false;
  callsTools = false;
  #text = "";
  #held: Delta[] = [];
  readonly #longest: number;

  /** @param longest the most characters that are held back. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The text so far. */
  get text(): string {
    return this.#text;
  }

  add(delta: Delta, emit: Emit<Delta>): void {
    if (delta.type === "part" && delta.part.type === "tool_call" && !this.callsTools) {
      this.callsTools = true;
      this.release(emit);
    }
    const isText = delta.type === "part" && delta.part.type === "text";
    if (this.callsTools || (this.#held.length === 0 && !isText)) {
      emit(delta);
      return;
    }
    if (isText) {
      const { content } = delta.part as { readonly content: string };
      if (this.#text.length + content.length > this.#longest) {
        this.overflown = true;
        return;
      }
      this.#text += content;
    }
    this.#held.push(delta);
  }

  /** Lets it out as it came. */
  release(emit: Emit<Delta>): void {
    for (const delta of this.#held.splice(0)) emit(delta);
  }

  /** Lets it out with another text in place of its own: where its text began. Everything else of it stays. */
  replace(text: string, emit: Emit<Delta>): void {
    let placed = false;
    for (const delta of this.#held.splice(0)) {
      if (delta.type !== "part" || delta.part.type !== "text") emit(delta);
      else if (!placed) {
        placed = true;
        emit({ type: "part", at: delta.at, part: { type: "text", content: text } });
      }
    }
  }
}
