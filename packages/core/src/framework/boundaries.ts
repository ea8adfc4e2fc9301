import type { Delta } from "../messages/delta.js";

/** A piece of text from the model. */
interface SourcePiece {
  readonly delta: Delta;
  readonly text: string;
  /** True if the piece, which is empty, left the layers while text before it was still held. */
  sent: boolean;
}

/** The text of one part, of one kind. */
interface PartText {
  /** The pieces that have not left, even in part. */
  pieces: SourcePiece[];
  /** Text that left the layers and is the beginning of a piece. */
  waiting: string;
  /** The delta of the latest waiting text. */
  last: Delta | undefined;
  /** True if the text differs from the model's. Later deltas pass unchanged. */
  changed: boolean;
}

/**
 * Restores the boundaries of text that layers passed unchanged. A stage that holds text back may release it in other
 * pieces: this returns each whole piece as its original delta. Changed text leaves in the layer's pieces.
 *
 * @example
 * ```ts
 * boundaries.came(delta); // for each delta of the model
 * for (const piece of boundaries.left(delta)) write(piece); // for each delta after the layers
 * for (const piece of boundaries.end()) write(piece);
 * ```
 */
export class PieceBoundaries {
  readonly #parts = new Map<string, PartText>();
  /** The position of each delta of the model. */
  readonly #positions = new WeakMap<Delta, number>();
  #count = 0;
  /**
   * Deltas without text that have come and not left, by position. Later pieces are not assembled before these leave.
   */
  readonly #between = new Map<Delta, number>();
  /** The place that has waiting text, or an empty piece that waits. */
  #open: PartText | undefined;

  /** Records a delta of the model. */
  came(delta: Delta): void {
    const key = keyOf(delta);
    const position = this.#count++;
    this.#positions.set(delta, position);
    const text = textOf(delta);
    if (text === "" && delta.type !== "finish" && delta.type !== "part_end") this.#between.set(delta, position);
    if (key === undefined) return;
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = { pieces: [], waiting: "", last: undefined, changed: false };
      this.#parts.set(key, part);
    }
    if (!part.changed) part.pieces.push({ delta, text, sent: false });
  }

  /** Returns the deltas that replace a delta after the layers. Empty if it is only the beginning of a piece. */
  left(delta: Delta): readonly Delta[] {
    const key = keyOf(delta);
    const part = key === undefined ? undefined : this.#parts.get(key);
    if (part !== undefined && part === this.#open) return this.#add(part, delta);
    this.#between.delete(delta);
    const passes = part === undefined || part.changed || this.#isNext(part, delta);
    if (passes && this.#open !== undefined && this.#precedesOpen(delta))
      return [delta, ...this.#releaseComplete(this.#open)];
    const before = this.end();
    return [...before, ...(passes ? [delta] : this.#add(part, delta))];
  }

  /** Returns the waiting text, because its place has ended or another delta precedes the rest. */
  end(): readonly Delta[] {
    return this.#open === undefined ? none : this.#release(this.#open);
  }

  /** True for a delta that came before the piece that waits for its rest: it also leaves first. */
  #precedesOpen(delta: Delta): boolean {
    const head = this.#open?.pieces[0];
    const position = this.#positions.get(delta);
    if (head === undefined || position === undefined) return false;
    return position < (this.#positions.get(head.delta) ?? 0);
  }

  #isNext({ pieces }: PartText, delta: Delta): boolean {
    if (pieces[0]?.delta !== delta) return false;
    pieces.shift();
    return true;
  }

  #add(part: PartText, delta: Delta): readonly Delta[] {
    const text = textOf(delta);
    const empty = text === "" ? emptyPiece(part, delta) : undefined;
    if (empty !== undefined) empty.sent = true;
    else part.last = delta;
    // A piece that has not left by now was removed or comes later.
    const out = part.waiting === "" ? [] : this.#take(part);
    this.#giveUp(part);
    part.waiting += text;
    this.#open = part;
    out.push(...this.#releaseComplete(part));
    if (part.waiting !== "") {
      const head = part.pieces[0]?.text ?? "";
      const fits = head.startsWith(part.waiting) || (head !== "" && part.waiting.startsWith(head));
      return fits ? out : [...out, ...this.#release(part)];
    }
    if (text === "" && empty === undefined) out.push(delta);
    return out;
  }

  /** Takes the whole pieces that need not wait for other deltas. */
  #releaseComplete(part: PartText): readonly Delta[] {
    const out = this.#take(part, (piece) => this.#isBlocked(piece));
    if (part.waiting === "") {
      part.last = undefined;
      if (!part.pieces.some(({ sent }) => sent)) this.#open = undefined;
    }
    return out;
  }

  /** Takes the pieces at the beginning of the waiting text, with the empty pieces between them, up to a blocked one. */
  #take(part: PartText, isBlocked: (piece: SourcePiece) => boolean = () => false): Delta[] {
    const out: Delta[] = [];
    for (let head = part.pieces[0]; head !== undefined; head = part.pieces[0]) {
      if (head.text === "" ? part.waiting === "" && !head.sent : !part.waiting.startsWith(head.text)) break;
      if (isBlocked(head)) break;
      part.waiting = part.waiting.slice(head.text.length);
      part.pieces.shift();
      this.#between.delete(head.delta);
      out.push(head.delta);
    }
    return out;
  }

  #isBlocked({ delta }: SourcePiece): boolean {
    const [first] = this.#between.values();
    return first !== undefined && first < (this.#positions.get(delta) ?? 0);
  }

  /** Stops waiting for deltas that came before the next piece of a place. */
  #giveUp({ pieces: [head] }: PartText): void {
    const position = head === undefined ? 0 : (this.#positions.get(head.delta) ?? 0);
    for (const [delta, at] of this.#between) {
      if (at > position) break;
      this.#between.delete(delta);
    }
  }

  #release(part: PartText): readonly Delta[] {
    this.#open = undefined;
    const complete = this.#take(part);
    if (part.waiting === "") part.last = undefined;
    const { waiting, last } = part;
    const out = part.pieces.filter(({ sent }) => sent).map((piece) => piece.delta);
    part.pieces = part.pieces.filter(({ sent }) => !sent);
    if (last === undefined) return [...complete, ...out];
    part.changed = true;
    part.pieces.length = 0;
    part.waiting = "";
    return [...complete, withText(last, waiting), ...out];
  }
}

/** Returns the empty piece of an empty delta, or of its copy. A copy has the same native form. */
function emptyPiece({ pieces, waiting }: PartText, delta: Delta): SourcePiece | undefined {
  const existing = pieces.find((piece) => piece.delta === delta);
  if (existing !== undefined || waiting !== "") return existing;
  for (const piece of pieces) {
    if (piece.text !== "") return undefined;
    if (nativeOf(piece.delta) === nativeOf(delta)) return piece;
  }
  return undefined;
}

const nativeOf = (delta: Delta): unknown =>
  delta.type === "part" && "native" in delta.part ? delta.part.native : undefined;

/** Returns the key of the place of a piece of text, or `undefined` for any other delta. */
function keyOf(delta: Delta): string | undefined {
  if (delta.type === "arguments") return `arguments ${delta.at}`;
  if (delta.type !== "part") return undefined;
  const { type } = delta.part;
  return type === "text" || type === "reasoning" ? `${type} ${delta.at}` : undefined;
}

/** Returns the text of a piece. A signature counts as text, since it belongs to its piece. */
function textOf(delta: Delta): string {
  if (delta.type === "arguments") return delta.json;
  if (delta.type !== "part" || !("content" in delta.part)) return "";
  return `${delta.part.content ?? ""}${signatureOf(delta)}`;
}

const signatureOf = (delta: Delta): string =>
  delta.type === "part" && delta.part.type === "reasoning" && delta.part.signature !== undefined
    ? `\u0000${delta.part.signature}`
    : "";

/** Returns a delta with other text, without its native form, which represents the whole piece. */
function withText(delta: Delta, text: string): Delta {
  if (textOf(delta) === text) return delta;
  if (delta.type === "arguments") return { ...delta, json: text };
  if (delta.type !== "part") return delta;
  const { native: _, ...part } = delta.part as typeof delta.part & { readonly native?: unknown };
  return { ...delta, part: { ...part, content: text.slice(0, text.length - signatureOf(delta).length) } as never };
}

const none: readonly never[] = [];
