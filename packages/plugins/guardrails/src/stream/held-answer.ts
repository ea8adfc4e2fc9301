import type { Delta, Emit } from "@suite/core";

/** The maximum number of held deltas, since deltas without text count no characters. */
const mostDeltas = 1_000_000;

/**
 * An answer that is held from its first text or its finish on, until the caller has decided on the whole of it. Earlier
 * deltas, such as reasoning, are emitted at once. An answer that calls a tool is released: it is not a final answer.
 */
export class HeldAnswer {
  /** True if there was more text than is held back; the rest of it is dropped. */
  overflown = false;
  callsTools = false;
  #text = "";
  #held: Delta[] = [];
  readonly #longest: number;

  /** @param longest The maximum number of characters that are held back. */
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
    if (this.callsTools || (this.#held.length === 0 && !isText && delta.type !== "finish")) {
      emit(delta);
      return;
    }
    if (this.overflown && delta.type !== "finish") return;
    if (this.#held.length >= mostDeltas) this.overflown = true;
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

  /** Emits the answer unchanged. */
  release(emit: Emit<Delta>): void {
    for (const delta of this.#held.splice(0)) emit(delta);
  }

  /**
   * Emits the answer with this text instead of the original, or before its finish if it has no text. All other deltas
   * are kept.
   */
  replace(text: string, emit: Emit<Delta>): void {
    let replaced = false;
    const emitText = (at: string): void => {
      if (replaced) return;
      replaced = true;
      emit({ type: "part", at, part: { type: "text", content: text } });
    };
    for (const delta of this.#held.splice(0)) {
      if (delta.type === "part" && delta.part.type === "text") {
        emitText(delta.at);
        continue;
      }
      if (delta.type === "finish") emitText("guardrails");
      emit(delta);
    }
    emitText("guardrails");
  }
}
