import type { Delta } from "../messages/delta.js";

/** A piece of text as it came from the model. */
interface SourcePiece {
  readonly delta: Delta;
  readonly text: string;
  /** True if the piece, which is empty, left the layers while text before it was still held. */
  left: boolean;
}

/** The text of one part, of one kind. */
interface Place {
  /** The pieces of which nothing has left yet. */
  readonly pieces: SourcePiece[];
  /** Text that left the layers and is the beginning of a piece. */
  waiting: string;
  /** The delta that brought the last of the waiting text. */
  last: Delta | undefined;
  /** True if the text differs from that of the model. Its later deltas pass as they are. */
  changed: boolean;
}

/**
 * Restores the boundaries of text that layers let through unchanged. A stage that holds text back releases it in other pieces
 * than it came in: each whole piece leaves here as the delta that it came in. Text that a layer changed leaves as the layer made it.
 *
 * @example
 * ```ts
 * boundaries.came(delta); // for each delta of the model
 * for (const piece of boundaries.left(delta)) write(piece); // for each delta after the layers
 * for (const piece of boundaries.end()) write(piece);
 * ```
 */
export class PieceBoundaries {
  readonly #places = new Map<string, Place>();
  /** The position of each delta of the model. */
  readonly #positions = new WeakMap<Delta, number>();
  #count = 0;
  /** The deltas without text that have come and not left, by position: no later piece is put together before they leave. */
  readonly #between = new Map<Delta, number>();
  /** The place that has waiting text, or an empty piece that waits. */
  #open: Place | undefined;

  /** Records a delta of the model. */
  came(delta: Delta): void {
    const key = keyOf(delta);
    const position = this.#count++;
    this.#positions.set(delta, position);
    const text = textOf(delta);
    if (text === "" && delta.type !== "finish" && delta.type !== "part_end") this.#between.set(delta, position);
    if (key === undefined) return;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = { pieces: [], waiting: "", last: undefined, changed: false };
      this.#places.set(key, place);
    }
    if (!place.changed) place.pieces.push({ delta, text, left: false });
  }

  /** Returns what leaves in place of a delta that left the layers: nothing if it is the beginning of a piece. */
  left(delta: Delta): readonly Delta[] {
    const key = keyOf(delta);
    const place = key === undefined ? undefined : this.#places.get(key);
    if (place !== undefined && place === this.#open) return this.#add(place, delta);
    this.#between.delete(delta);
    const passes = place === undefined || place.changed || this.#isNext(place, delta);
    if (passes && this.#open !== undefined && this.#precedesOpen(delta)) return [delta, ...this.#whole(this.#open)];
    const before = this.end();
    return [...before, ...(passes ? [delta] : this.#add(place, delta))];
  }

  /** Returns the text that waits: no more of its place follows, or something else comes before it. */
  end(): readonly Delta[] {
    return this.#open === undefined ? none : this.#release(this.#open);
  }

  /** Returns true for a delta that came before the piece whose beginning waits: it leaves before it, too. */
  #precedesOpen(delta: Delta): boolean {
    const head = this.#open?.pieces[0];
    const position = this.#positions.get(delta);
    if (head === undefined || position === undefined) return false;
    return position < (this.#positions.get(head.delta) ?? 0);
  }

  #isNext({ pieces }: Place, delta: Delta): boolean {
    if (pieces[0]?.delta !== delta) return false;
    pieces.shift();
    return true;
  }

  #add(place: Place, delta: Delta): readonly Delta[] {
    const text = textOf(delta);
    const empty = text === "" ? emptyPiece(place, delta) : undefined;
    if (empty !== undefined) empty.left = true;
    else place.last = delta;
    // What has not left by now stays behind, or was removed.
    const out = place.waiting === "" ? [] : this.#take(place);
    this.#giveUp(place);
    place.waiting += text;
    this.#open = place;
    out.push(...this.#whole(place));
    if (place.waiting !== "") {
      const head = place.pieces[0]?.text ?? "";
      const fits = head.startsWith(place.waiting) || (head !== "" && place.waiting.startsWith(head));
      return fits ? out : [...out, ...this.#release(place)];
    }
    if (text === "" && empty === undefined) out.push(delta);
    return out;
  }

  /** Takes the whole pieces before which nothing has to leave. */
  #whole(place: Place): readonly Delta[] {
    const out = this.#take(place, (piece) => this.#isBlocked(piece));
    if (place.waiting === "") {
      place.last = undefined;
      if (!place.pieces.some(({ left }) => left)) this.#open = undefined;
    }
    return out;
  }

  /** Takes the pieces that the waiting text begins with, and the empty pieces between them, up to one that is blocked. */
  #take(place: Place, isBlocked: (piece: SourcePiece) => boolean = () => false): Delta[] {
    const out: Delta[] = [];
    for (let head = place.pieces[0]; head !== undefined; head = place.pieces[0]) {
      if (head.text === "" ? place.waiting === "" && !head.left : !place.waiting.startsWith(head.text)) break;
      if (isBlocked(head)) break;
      place.waiting = place.waiting.slice(head.text.length);
      place.pieces.shift();
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
  #giveUp({ pieces: [head] }: Place): void {
    const position = head === undefined ? 0 : (this.#positions.get(head.delta) ?? 0);
    for (const [delta, at] of this.#between) {
      if (at > position) break;
      this.#between.delete(delta);
    }
  }

  #release(place: Place): readonly Delta[] {
    this.#open = undefined;
    const whole = this.#take(place);
    if (place.waiting === "") place.last = undefined;
    const { waiting, last } = place;
    const out = place.pieces.filter(({ left }) => left).map((piece) => piece.delta);
    place.pieces.splice(0, place.pieces.length, ...place.pieces.filter(({ left }) => !left));
    if (last === undefined) return [...whole, ...out];
    place.changed = true;
    place.pieces.length = 0;
    place.waiting = "";
    return [...whole, withText(last, waiting), ...out];
  }
}

/** Returns the empty piece that an empty delta is, or that it is a copy of. A copy carries the same native form. */
function emptyPiece({ pieces, waiting }: Place, delta: Delta): SourcePiece | undefined {
  const own = pieces.find((piece) => piece.delta === delta);
  if (own !== undefined || waiting !== "") return own;
  for (const piece of pieces) {
    if (piece.text !== "") return undefined;
    if (nativeOf(piece.delta) === nativeOf(delta)) return piece;
  }
  return undefined;
}

const nativeOf = (delta: Delta): unknown =>
  delta.type === "part" && "native" in delta.part ? delta.part.native : undefined;

/** The place of a piece of text; `undefined` for any other delta. */
function keyOf(delta: Delta): string | undefined {
  if (delta.type === "arguments") return `arguments ${delta.at}`;
  if (delta.type !== "part") return undefined;
  const { type } = delta.part;
  return type === "text" || type === "reasoning" ? `${type} ${delta.at}` : undefined;
}

/** The text of a piece. A signature counts as text: it belongs to the piece that it came in. */
function textOf(delta: Delta): string {
  if (delta.type === "arguments") return delta.json;
  if (delta.type !== "part" || !("content" in delta.part)) return "";
  return `${delta.part.content ?? ""}${signatureOf(delta)}`;
}

const signatureOf = (delta: Delta): string =>
  delta.type === "part" && delta.part.type === "reasoning" && delta.part.signature !== undefined
    ? `\u0000${delta.part.signature}`
    : "";

/** A delta with other text. Its native form is that of a whole piece. */
function withText(delta: Delta, text: string): Delta {
  if (textOf(delta) === text) return delta;
  if (delta.type === "arguments") return { ...delta, json: text };
  if (delta.type !== "part") return delta;
  const { native: _, ...part } = delta.part as typeof delta.part & { readonly native?: unknown };
  return { ...delta, part: { ...part, content: text.slice(0, text.length - signatureOf(delta).length) } as never };
}

const none: readonly never[] = [];
