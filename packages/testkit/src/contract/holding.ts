import type { CallNext, Delta, Emit, Invocation, Part, Plugin, Stage } from "@suite/core";
import { type HeldText, PartOrder } from "@suite/core/parts";

/** The kinds of hook whose answers stream as deltas. */
export type StreamedKind = "agent" | "reasoning" | "model";

/**
 * A plugin that changes nothing, and holds the last characters of every text, reasoning and arguments back until more
 * comes or the part ends, as a guard does that looks for values split across chunks. For tests, not for use.
 */
export function holding(kind: StreamedKind): Plugin {
  const layer = async (invocation: Invocation<StreamedKind>, callNext: CallNext): Promise<void> => {
    await callNext();
    invocation.pipe(holdingStage());
  };
  return { name: "contract-holding", [kind]: layer };
}

function holdingStage(): Stage<Delta, unknown> {
  const order = new PartOrder<HeldPieces>((delta, slot, emit) => {
    if (delta.type === "arguments") {
      const again = (json: string): Delta => ({ type: "arguments", at: delta.at, json });
      slot.text("arguments", () => new HeldPieces(again)).push(delta.json, again, emit);
    } else if (delta.type === "part" && (delta.part.type === "text" || delta.part.type === "reasoning")) {
      const { at, part } = delta;
      const again = (content: string): Delta => ({ type: "part", at, part: { ...part, content } as Part });
      const rest = (content: string): Delta => ({ type: "part", at, part: { type: part.type, content } as Part });
      slot.text(part.type, () => new HeldPieces(rest)).push(part.content, again, emit);
    } else emit(delta);
  });
  return { chunk: (delta, emit) => order.accept(delta, emit), flush: (emit) => order.end(emit) };
}

/**
 * The number of characters that are held back: more than a short piece contains, so that parts begin with nothing to
 * show.
 */
const held = 3;

class HeldPieces implements HeldText {
  #held = "";

  constructor(readonly rest: (text: string) => Delta) {}

  get undecided(): number {
    return this.#held.length;
  }

  /** @param again creates a delta like that of the piece, with a different text. */
  push(piece: string, again: (text: string) => Delta, emit: Emit<Delta>): void {
    const text = this.#held + piece;
    const end = Math.max(0, text.length - held);
    this.#held = text.slice(end);
    emit(again(text.slice(0, end)));
  }

  end(emit: Emit<Delta>): void {
    if (this.#held !== "") emit(this.rest(this.#held));
    this.#held = "";
  }
}
