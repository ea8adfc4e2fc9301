import type { Delta, PartDelta, ReasoningPart, TextPart } from "@suite/core";
import type { StreamState } from "./shape.js";

/** A piece of text in a block that LangChain joins with nothing. */
type Piece = PartDelta & { readonly part: TextPart | ReasoningPart };

/**
 * Blocks with nothing to join them by, on their way out: for LangChain each is a block of its own. So that there are as many as
 * came, the last one waits for what a layer still holds back, which goes into it.
 */
export class AloneBlocks {
  readonly #state: StreamState;
  readonly #given = new Map<string, number>();
  #waiting: Piece | undefined;

  constructor(state: StreamState) {
    this.#state = state;
  }

  /** The deltas that go out where a layer made this one: itself, but for pieces of such blocks, which wait for the next. */
  write(delta: Delta): readonly Delta[] {
    if (!this.#takes(delta)) return [...this.rest(), delta];
    const { at, part } = delta;
    const waiting = this.#waiting;
    const given = this.#given.get(at) ?? 0;
    if (waiting?.at === at && given >= (this.#state.alone.get(at) ?? 0)) {
      this.#waiting = { ...delta, part: { ...part, content: waiting.part.content + part.content } };
      return [];
    }
    const before = this.rest();
    this.#given.set(at, given + 1);
    this.#waiting = delta;
    return before;
  }

  /** The deltas that go out before anything else does. */
  rest(): readonly Delta[] {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting === undefined ? [] : [waiting];
  }

  /** Keeps account of what went out as it came. */
  passed(deltas: readonly Delta[]): void {
    for (const delta of deltas) if (this.#takes(delta)) this.#given.set(delta.at, (this.#given.get(delta.at) ?? 0) + 1);
  }

  #takes(delta: Delta): delta is Piece {
    if (delta.type !== "part" || !this.#state.alone.has(delta.at)) return false;
    return delta.part.type === "text" || delta.part.type === "reasoning";
  }
}
