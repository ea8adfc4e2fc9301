import type { Delta } from "@suite/core";
import type { PartDelta, ReasoningPart, TextPart } from "@suite/core/messages";
import type { StreamState } from "./shape.js";

/** A piece of text in a block without index or id, so that LangChain cannot join it with others. */
type Piece = PartDelta & { readonly part: TextPart | ReasoningPart };

/**
 * Emits blocks without index or id. LangChain does not join them, so each delta becomes a separate block. To emit no
 * more blocks than the provider sent, the last one waits: text that a layer held back is added to it.
 */
export class AloneBlocks {
  readonly #state: StreamState;
  readonly #written = new Map<string, number>();
  #waiting: Piece | undefined;

  constructor(state: StreamState) {
    this.#state = state;
  }

  /**
   * Returns the deltas to emit for a delta of a layer: the delta itself, except for pieces of such blocks, which wait
   * for the next.
   */
  write(delta: Delta): readonly Delta[] {
    if (!this.#takes(delta)) return [...this.rest(), delta];
    const { at, part } = delta;
    const waiting = this.#waiting;
    const written = this.#written.get(at) ?? 0;
    if (waiting?.at === at && written >= (this.#state.alone.get(at) ?? 0)) {
      this.#waiting = { ...delta, part: { ...part, content: waiting.part.content + part.content } };
      return [];
    }
    const before = this.rest();
    this.#written.set(at, written + 1);
    this.#waiting = delta;
    return before;
  }

  /** Returns the waiting deltas, which must be emitted before anything else. */
  rest(): readonly Delta[] {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting === undefined ? [] : [waiting];
  }

  /** Counts the pieces that were emitted unchanged. */
  passed(deltas: readonly Delta[]): void {
    for (const delta of deltas)
      if (this.#takes(delta)) this.#written.set(delta.at, (this.#written.get(delta.at) ?? 0) + 1);
  }

  #takes(delta: Delta): delta is Piece {
    if (delta.type !== "part" || !this.#state.alone.has(delta.at)) return false;
    return delta.part.type === "text" || delta.part.type === "reasoning";
  }
}
