import type { Delta, Emit } from "@suite/core";

/** Holds back a whole answer, including tool calls and reasoning, until it is released or replaced. */
export class CompleteAnswer {
  /** True if it was longer than is held back. Nothing of it may be let out then. */
  overflown = false;
  #held: Delta[] = [];
  #texts = new Map<string, string>();
  #length = 0;
  readonly #longest: number;

  /** @param longest The maximum number of characters that are held back. */
  constructor(longest = 4_000_000) {
    this.#longest = longest;
  }

  /** The strings of its parts, including reasoning, in order. */
  get texts(): readonly string[] {
    return [...this.#texts.values()];
  }

  add(delta: Delta): void {
    if (this.overflown) return;
    this.#length += delta.type === "arguments" ? delta.json.length + 1 : 1;
    if (delta.type === "part" && (delta.part.type === "text" || delta.part.type === "reasoning")) {
      this.#length += delta.part.content.length;
      this.#texts.set(delta.at, (this.#texts.get(delta.at) ?? "") + delta.part.content);
    }
    if (this.#length > this.#longest) this.overflown = true;
    else this.#held.push(delta);
  }

  /** Emits the answer unchanged. */
  release(emit: Emit<Delta>): void {
    for (const delta of this.#held.splice(0)) emit(delta);
  }

  /** Emits the answer with replaced strings. Changed reasoning is dropped because it may be signed. */
  rewrite(texts: readonly string[], emit: Emit<Delta>): void {
    const textByPart = new Map([...this.#texts.keys()].map((at, index) => [at, texts[index] ?? ""]));
    const done = new Set<string>();
    for (const delta of this.#held.splice(0)) {
      const text = "at" in delta ? textByPart.get(delta.at) : undefined;
      if (delta.type !== "part" || text === undefined || text === this.#texts.get(delta.at)) emit(delta);
      else if (!done.has(delta.at)) {
        done.add(delta.at);
        if (delta.part.type === "text") emit({ type: "part", at: delta.at, part: { type: "text", content: text } });
      }
    }
  }

  /** Lets out this text in its place: nothing of it, no call of a tool either. */
  replace(text: string, emit: Emit<Delta>): void {
    const finish = this.#held.filter((delta) => delta.type === "finish");
    this.#held = [];
    emit({ type: "part", at: "guardrails", part: { type: "text", content: text } });
    for (const delta of finish) emit({ ...delta, finishReason: "content_filter" });
    if (finish.length === 0) emit({ type: "finish", finishReason: "content_filter" });
  }
}
