import type { Delta, Emit } from "@suite/core";

/** The characters before a window that are judged with it, if the window is shorter. */
const context = 1000;

/**
 * The maximum number of deltas held for one verdict. Deltas without text, such as arguments of a call, fill no window.
 */
const mostHeld = 10_000;

/** The parts of a gate. */
export interface GateOptions {
  /** True if the input may pass. */
  readonly input: Promise<boolean>;
  /** Judges the answer. Undefined if the answer is not moderated. */
  readonly judge: ((text: string) => Promise<boolean>) | undefined;
  /** The number of characters that are judged at once. */
  readonly every: number;
  /** Emits the replacement for the part that was not emitted yet, or throws. */
  stop(place: string, emit: Emit<Delta>): void;
}

/** Releases a moderated answer in windows. Each waits for its verdict, and all wait for the verdict on the input. */
export class Gate {
  readonly #options: GateOptions;
  #held: Delta[] = [];
  #text = "";
  /** The end of the windows before: a phrase may lie across any number of them. */
  #before = "";
  #open = false;
  #stopped = false;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  take(delta: Delta, emit: Emit<Delta>): Promise<void> | void {
    if (this.#stopped) return;
    this.#held.push(delta);
    this.#text += textIn(delta);
    const { judge, every } = this.#options;
    if (judge !== undefined && this.#text.length < every && this.#held.length < mostHeld) return;
    return this.#release(emit);
  }

  end(emit: Emit<Delta>): Promise<void> | void {
    if (!this.#stopped) return this.#release(emit);
  }

  async #release(emit: Emit<Delta>): Promise<void> {
    const { input, judge, every, stop } = this.#options;
    this.#open ||= await input;
    const text = this.#text;
    this.#text = "";
    const passes = !this.#open || judge === undefined || text === "" || (await judge(this.#before + text));
    if (!this.#open || !passes) {
      this.#stopped = true;
      this.#held = [];
      return stop(this.#open ? "the output" : "the input", emit);
    }
    this.#before = (this.#before + text).slice(-Math.max(every, context));
    for (const delta of this.#held.splice(0)) emit(delta);
  }
}

/** The text in a piece of an answer. */
export const textIn = (delta: Delta): string =>
  delta.type === "part" && (delta.part.type === "text" || delta.part.type === "reasoning") ? delta.part.content : "";
