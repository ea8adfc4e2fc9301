import type { Emit } from "../contract/outcome.js";
import type { Delta, FinishDelta } from "../messages/delta.js";

/** The text of one part that a stage holds back. */
export interface HeldText {
  /** The length of the text that is held back, in UTF-16 units. */
  readonly undecided: number;
  /** Emits the text that is held back. No later piece follows. */
  end(emit: Emit<Delta>): void;
}

/** One part or event in a stage: its position among the parts, and its deltas that wait for earlier parts. */
export class PartSlot<T extends HeldText> {
  readonly #texts = new Map<string, T>();
  #waiting: Waiting<T>[] = [];
  /** The number of waiting deltas that have been taken. */
  #position = 0;
  #received = 0;
  #waits = 0;

  /** @internal Created by `PartOrder`. */
  constructor(readonly index: number) {}

  /** Returns the part's text of this kind (`"text"`, `"arguments"`, …), created on first use. */
  text(kind: string, make: () => T): T {
    let text = this.#texts.get(kind);
    if (text === undefined) {
      text = make();
      this.#texts.set(kind, text);
    }
    return text;
  }

  /** @internal The length of the text that has arrived, in UTF-16 units. */
  get came(): number {
    return this.#received;
  }

  /** @internal The length of the text that is not held back any more. */
  get decided(): number {
    let held = this.#waits;
    for (const text of this.#texts.values()) held += text.undecided;
    return this.#received - held;
  }

  /** @internal */
  get first(): Waiting<T> | undefined {
    return this.#waiting[this.#position];
  }

  /** @internal */
  arrive(delta: Delta): void {
    this.#received += lengthOf(delta);
  }

  /** @internal */
  wait(delta: Delta, marks: readonly Mark<T>[]): void {
    this.#waiting.push({ delta, marks });
    this.#waits += lengthOf(delta);
  }

  /** @internal */
  next(): Delta | undefined {
    const delta = this.#waiting[this.#position++]?.delta;
    if (delta !== undefined) this.#waits -= lengthOf(delta);
    if (this.#position >= this.#waiting.length) {
      this.#waiting = [];
      this.#position = 0;
    }
    return delta;
  }

  /** @internal */
  end(emit: Emit<Delta>): void {
    for (const text of this.#texts.values()) text.end(emit);
    this.#texts.clear();
  }
}

interface Waiting<T extends HeldText> {
  readonly delta: Delta;
  readonly marks: readonly Mark<T>[];
}

/** A position in the text of an earlier part. Deltas that came after it wait until it has been emitted. */
interface Mark<T extends HeldText> {
  readonly slot: PartSlot<T>;
  readonly at: number;
}

/**
 * Keeps the order of parts in a stage that holds text back, such as a guard that looks for values split across chunks.
 *
 * Later parts and events never overtake text of an earlier part that came before them. A text is released when its part
 * ends (`part_end`), or else with the answer. An earlier part never waits for a later one, so two open parts cannot
 * wait for each other. The finish mark comes last. Deltas that an adapter keeps in place (`inPlace`) do not wait.
 *
 * @example
 * ```ts
 * const order = new PartOrder<Words>((delta, slot, emit) => {
 *   if (delta.type !== "part" || delta.part.type !== "text") return emit(delta);
 *   slot.text("text", () => new Words(delta.at)).push(delta.part.content, emit);
 * });
 * invocation.pipe({ chunk: (delta, emit) => order.accept(delta, emit), flush: (emit) => order.end(emit) });
 * ```
 */
export class PartOrder<T extends HeldText> {
  readonly #treat: (delta: Delta, slot: PartSlot<T>, emit: Emit<Delta>) => void;
  readonly #open = new Map<string, PartSlot<T>>();
  /** Slots with text that is held back or waits. */
  readonly #holding = new Set<PartSlot<T>>();
  /** Slots with waiting deltas, in the order of parts. */
  readonly #delayed: PartSlot<T>[] = [];
  readonly #finish: FinishDelta[] = [];
  #count = 0;

  /** @param treat emits the result of a delta, now or later. It does not receive finish marks or ends of parts. */
  constructor(treat: (delta: Delta, slot: PartSlot<T>, emit: Emit<Delta>) => void) {
    this.#treat = treat;
  }

  /** Takes the next delta of the answer. */
  accept(delta: Delta, emit: Emit<Delta>): void {
    if (delta.type === "finish") {
      if (delta.inPlace) emit(delta);
      else this.#finish.push(delta);
      return;
    }
    const slot = this.#slotOf(delta);
    const isFirst = slot.came === 0;
    slot.arrive(delta);
    if (delta.inPlace) {
      this.#take(delta, slot, emit);
      // Keeps the part's position in the reply although all of its text is held back.
      if (isFirst && slot.decided === 0 && slot.came > 0) emitEmpty(delta, emit);
      return;
    }
    const marks = this.#holding.size === 0 ? none : this.#marksBefore(slot);
    if (marks.length === 0 && slot.first === undefined) {
      if (delta.type === "part_end" && this.#delayed.length > 0) this.#release(slot, emit);
      this.#take(delta, slot, emit);
      if (this.#delayed.length > 0) this.#advance(emit);
    } else {
      if (slot.first === undefined) this.#delay(slot);
      slot.wait(delta, marks);
      this.#holding.add(slot);
    }
  }

  /**
   * Emits everything that was held back, part by part. Call it after the last delta.
   *
   * @param beforeFinish runs after the text of all parts has ended and before the finish mark is emitted.
   */
  end(emit: Emit<Delta>, beforeFinish?: () => void): void {
    const slots = new Set([...this.#open.values(), ...this.#delayed].sort((one, other) => one.index - other.index));
    for (const slot of slots) {
      for (let delta = slot.next(); delta !== undefined; delta = slot.next()) this.#take(delta, slot, emit);
      slot.end(emit);
    }
    this.#open.clear();
    this.#delayed.length = 0;
    this.#holding.clear();
    beforeFinish?.();
    for (const delta of this.#finish.splice(0)) emit(delta);
  }

  /** Ends the text of a part, and takes the deltas that waited for it: they came before the part's end. */
  #release(slot: PartSlot<T>, emit: Emit<Delta>): void {
    slot.end(emit);
    this.#holding.delete(slot);
    this.#advance(emit);
  }

  #slotOf(delta: Exclude<Delta, FinishDelta>): PartSlot<T> {
    if (delta.type === "event") return new PartSlot(this.#count++);
    let slot = this.#open.get(delta.at);
    if (slot === undefined) {
      slot = new PartSlot(this.#count++);
      this.#open.set(delta.at, slot);
    }
    return slot;
  }

  #take(delta: Delta, slot: PartSlot<T>, emit: Emit<Delta>): void {
    if (delta.type === "part_end") {
      slot.end(emit);
      if (slot.first === undefined) this.#open.delete(delta.at);
      emit(delta);
    } else this.#treat(delta, slot, emit);
    if (slot.decided < slot.came) this.#holding.add(slot);
    else this.#holding.delete(slot);
  }

  #marksBefore({ index }: PartSlot<T>): readonly Mark<T>[] {
    const marks: Mark<T>[] = [];
    for (const slot of this.#holding) if (slot.index < index) marks.push({ slot, at: slot.came });
    return marks;
  }

  #delay(slot: PartSlot<T>): void {
    let index = this.#delayed.length;
    while (index > 0 && (this.#delayed[index - 1]?.index ?? 0) > slot.index) index--;
    this.#delayed.splice(index, 0, slot);
  }

  /** Takes the deltas that waited for text that is now emitted. */
  #advance(emit: Emit<Delta>): void {
    for (let slot = this.#delayed[0]; slot !== undefined; slot = this.#delayed[0]) {
      for (let first = slot.first; first !== undefined; first = slot.first) {
        if (first.marks.some((mark) => mark.slot.decided < mark.at)) return;
        this.#take(slot.next() as Delta, slot, emit);
      }
      this.#delayed.shift();
    }
  }
}

function emitEmpty(delta: Delta, emit: Emit<Delta>): void {
  if (delta.type !== "part") return;
  const { type } = delta.part;
  if (type === "text" || type === "reasoning") emit({ type: "part", at: delta.at, part: { type, content: "" } });
}

const none: readonly never[] = [];

const lengthOf = (delta: Delta): number => {
  if (delta.type === "arguments") return delta.json.length;
  if (delta.type !== "part") return 0;
  const { part } = delta;
  return part.type === "text" || part.type === "reasoning" ? part.content.length : 0;
};
