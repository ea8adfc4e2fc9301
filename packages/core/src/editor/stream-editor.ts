import { assembleReply } from "../engine/codec.js";
import type { ArgumentsDelta, Delta, FinishDelta, PartDelta, PartEndDelta } from "../messages/delta.js";
import type { Part } from "../messages/message.js";
import { Edit, type WholeValue } from "./edit.js";
import type { Draft, Place } from "./place.js";

/** The event format of a provider: which strings may be changed, and how to create an event. One object per stream. */
export interface EventFormat<Event> {
  /**
   * Registers the strings, values, copies and ends of an event.
   *
   * @param event `undefined` if the body has ended.
   */
  read(event: Event | undefined, edit: Edit): void;
  /**
   * Returns an event with this body.
   *
   * @param event the provider's event, whose body was changed.
   */
  write(event: Event | undefined, body: Draft): Event;
  /** Returns the body of an event that contains only this text for a place. */
  extra(place: Place, text: string): Draft;
  /** Returns the event bodies for a part that a plugin added. */
  added(part: Part): readonly Draft[];
  /**
   * True if the client appends the text of a part that a plugin added to the text of another part. Such text is sent at
   * once.
   */
  readonly joinsAdded: boolean;
  /** The field with the provider's event number. */
  readonly number?: string | undefined;
}

/** An event that was read and not sent yet. */
interface Entry<Event> {
  readonly event: Event | undefined;
  readonly edit: Edit;
}

/**
 * Changes a stream of events in place. The events and their order stay, and only the strings that the stages changed
 * are replaced. `read` returns the deltas for the stages, `write` takes the released deltas, and `out` contains the
 * events to send. Text that a stage holds back moves to a later event of the same place. Otherwise, an event is
 * inserted.
 */
export class StreamEditor<Event> {
  /** The events to be sent, in order. The sender removes them. */
  readonly out: Event[] = [];
  readonly #format: EventFormat<Event>;
  readonly #places = new Map<string, Place>();
  /** The events that were read. Those before `#next` were sent. */
  #entries: Entry<Event>[] = [];
  #next = 0;
  /** The values that the stages have neither passed nor replaced, in order. */
  #unsettled: WholeValue[] = [];
  /** The order of the deltas since the first unsettled value. */
  readonly #order = new Map<Delta, number>();
  /** The names of the parts that were only shown to the stages. */
  readonly #noted = new Set<string>();
  /** The parts that plugins added, by name. */
  readonly #added = new Map<string, Delta[]>();
  /** The number of the last event that was sent, if the provider numbers them. */
  #number: number | undefined;
  #inserted = 0;

  constructor(format: EventFormat<Event>) {
    this.#format = format;
  }

  /** Reads the next event, or the end of the body. Returns the deltas for the stages. */
  read(event: Event | undefined, body: Draft): readonly Delta[] {
    this.settle();
    const edit = new Edit(body, this.#places);
    this.#format.read(event, edit);
    this.#entries.push({ event, edit });
    for (const at of edit.noted) this.#noted.add(at);
    if (edit.values.length > 0) this.#unsettled.push(...edit.values);
    if (this.#unsettled.length > 0) for (const delta of edit.deltas) this.#order.set(delta, this.#order.size);
    return edit.deltas;
  }

  /** Takes a delta that the stages released. */
  write(delta: Delta): void {
    if (this.#unsettled.length > 0) this.#dropBefore(delta, (value) => value.delta.type === "event");
    if (delta.type === "finish") this.#finish(delta);
    else if (delta.type === "event") this.#settleValue(delta, (value) => nameOf(value) === delta.name);
    else this.#release(delta);
  }

  #release(delta: PartDelta | ArgumentsDelta | PartEndDelta): void {
    const { at } = delta;
    const place = this.#places.get(at);
    if (delta.type === "part_end") {
      if (place !== undefined) place.closed = true;
      this.#dropBefore(delta, (value) => atOf(value) === at);
    } else if (delta.type === "arguments") {
      if (place !== undefined) place.release(delta.json);
      else this.#add(delta);
    } else if (place !== undefined && delta.part.type === place.kind && "content" in delta.part) {
      place.release(delta.part.content ?? "");
    } else this.#settleValue(delta, (value) => atOf(value) === at);
  }

  /**
   * Sends the events that are complete: the stages hold back nothing of them. Call it after all deltas were passed to
   * the stages.
   */
  settle(): void {
    if (this.#format.joinsAdded && this.#added.size > 0) this.#sendAddedText();
    for (let entry = this.#entries[this.#next]; entry !== undefined; entry = this.#entries[this.#next]) {
      if (!this.#isReady(entry.edit)) return;
      this.#next++;
      this.#send(entry);
    }
    this.#entries.length = 0;
    this.#next = 0;
  }

  /** Sends all remaining events. Call it when the stages release nothing more. */
  end(): void {
    this.#drop(() => true);
    for (const place of this.#places.values()) place.closed = true;
    const rest = this.#entries.slice(this.#next);
    this.#entries = [];
    this.#next = 0;
    const first = rest.findIndex(({ edit }) => edit.terminal || edit.finishMark !== undefined);
    const before = first < 0 ? rest.length : first;
    for (const entry of rest.slice(0, before)) this.#send(entry);
    const last = rest.slice(before);
    for (const place of this.#places.values()) if (!last.some(({ edit }) => edit.takes(place))) this.#sendReady(place);
    for (const deltas of this.#added.values()) this.#sendAdded(deltas);
    for (const entry of last) this.#send(entry);
  }

  #isReady({ values, ends, finishMark, terminal, waits }: Edit): boolean {
    if (terminal || waits || values.some(({ settled }) => !settled) || ends.some(({ holds }) => holds)) return false;
    if (finishMark === undefined || finishMark.through) return true;
    for (const place of this.#places.values()) if (place.holds) return false;
    return true;
  }

  #send({ event, edit }: Entry<Event>): void {
    let changed = edit.fill();
    for (const [place, text] of edit.extras) this.#insert(this.#format.extra(place, text));
    for (const place of edit.ends) place.over = true;
    if (edit.complete()) changed = true;
    if (event === undefined || edit.dropped) return;
    const { number } = this.#format;
    const eventNumber = number === undefined ? undefined : edit.body[number];
    if (number !== undefined && typeof eventNumber === "number") {
      this.#number = eventNumber + this.#inserted;
      edit.body[number] = this.#number;
      if (this.#inserted > 0) changed = true;
    }
    this.out.push(changed ? this.#format.write(event, edit.body) : event);
  }

  /** Inserts an event with the released text of a place that has no further event. */
  #sendReady(place: Place): void {
    const { ready, over, kind } = place;
    if (ready === "") return;
    place.ready = "";
    place.sent += ready;
    const isLate = over && !this.#format.joinsAdded && kind !== "arguments";
    const part = { type: kind as "text", content: ready };
    for (const body of isLate ? this.#format.added(part) : [this.#format.extra(place, ready)]) this.#insert(body);
  }

  #sendAddedText(): void {
    for (const [at, deltas] of this.#added) {
      if (!deltas.every((delta) => delta.type === "part" && "content" in delta.part)) continue;
      this.#sendAdded(deltas);
      this.#added.delete(at);
    }
  }

  #sendAdded(deltas: readonly Delta[]): void {
    for (const part of assembleReply(deltas).message.parts) {
      for (const body of this.#format.added(part)) this.#insert(body);
    }
  }

  #insert(body: Draft): void {
    this.#inserted++;
    const { number } = this.#format;
    if (number !== undefined && this.#number !== undefined) body[number] = ++this.#number;
    this.out.push(this.#format.write(undefined, body));
  }

  #add(delta: Delta & { readonly at: string }): void {
    const known = this.#added.get(delta.at);
    if (known === undefined) this.#added.set(delta.at, [delta]);
    else known.push(delta);
  }

  /** Settles a value by a delta: the value itself or a stage's replacement. */
  #settleValue(delta: Delta, matches: (value: WholeValue) => boolean): void {
    const value = this.#unsettled.find((each) => each.delta === delta) ?? this.#unsettled.find(matches);
    if (value === undefined) {
      const isKnown = "at" in delta && (this.#noted.has(delta.at) || this.#places.has(delta.at));
      if (delta.type === "part" && !isKnown) this.#add(delta);
      return;
    }
    value.settled = true;
    if (value.delta !== delta) value.write(delta.type === "part" ? delta.part : (delta as { value?: unknown }).value);
    this.#forgetSettled();
  }

  #finish(delta: FinishDelta): void {
    for (const { edit } of this.#entries.slice(this.#next)) {
      const mark = edit.finishMark;
      if (mark === undefined || mark.through) continue;
      mark.through = true;
      if (mark.delta !== delta && mark.write !== undefined) {
        mark.write(delta);
        edit.touched = true;
      }
      return;
    }
  }

  /** Removes values that a later delta has overtaken: a stage has dropped them. */
  #dropBefore(delta: Delta, matches: (value: WholeValue) => boolean): void {
    const order = this.#order.get(delta);
    if (order !== undefined) this.#drop((value) => matches(value) && (this.#order.get(value.delta) ?? order) < order);
  }

  #drop(matches: (value: WholeValue) => boolean): void {
    if (this.#unsettled.length === 0) return;
    for (const value of this.#unsettled) {
      if (!matches(value)) continue;
      value.settled = true;
      value.write(undefined);
    }
    this.#forgetSettled();
  }

  #forgetSettled(): void {
    this.#unsettled = this.#unsettled.filter(({ settled }) => !settled);
    if (this.#unsettled.length === 0) this.#order.clear();
  }
}

const nameOf = ({ delta }: WholeValue): string | undefined => (delta.type === "event" ? delta.name : undefined);
const atOf = ({ delta }: WholeValue): string | undefined => ("at" in delta ? delta.at : undefined);
