import type { Delta } from "@suite/core";

/** The text of an answer that entered the layers and has not left yet. It shows whether layers changed anything. */
export class UnchangedTexts {
  /** The text that has not left yet, by part. */
  readonly #waiting = new Map<string, string>();
  readonly #others = new WeakSet<Delta>();
  #changed = false;

  came(delta: Delta): void {
    const piece = textOf(delta);
    if (piece === undefined) this.#others.add(delta);
    else this.#waiting.set(piece.at, (this.#waiting.get(piece.at) ?? "") + piece.text);
  }

  left(delta: Delta): void {
    const piece = textOf(delta);
    if (piece === undefined) {
      if (delta.type === "part" && !this.#others.has(delta)) this.#changed = true;
      return;
    }
    const waitingText = this.#waiting.get(piece.at) ?? "";
    if (waitingText.startsWith(piece.text)) this.#waiting.set(piece.at, waitingText.slice(piece.text.length));
    else this.#changed = true;
  }

  /** True if all text left unchanged. */
  get unchanged(): boolean {
    return !this.#changed && Array.from(this.#waiting.values()).every((text) => text === "");
  }
}

function textOf(delta: Delta): { readonly at: string; readonly text: string } | undefined {
  if (delta.type === "arguments") return { at: `${delta.at} arguments`, text: delta.json };
  if (delta.type !== "part") return undefined;
  const { at, part } = delta;
  return part.type === "text" || part.type === "reasoning" ? { at, text: part.content } : undefined;
}
