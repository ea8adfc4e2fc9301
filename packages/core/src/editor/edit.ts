import type { Delta, FinishDelta } from "../messages/delta.js";
import type { Part } from "../messages/message.js";
import { type Draft, Place, type PlaceKind } from "./place.js";

/** A string of an event that belongs to a place. */
interface Slot {
  readonly place: Place;
  /** The string as the provider sent it. */
  readonly original: string;
  /** The new text of the string: all of it, unless it repeats text of the place. */
  readonly content: string;
  readonly target: Draft;
  readonly key: string;
  /** True if the field repeats the whole text of the place. */
  readonly repeats: boolean;
  /** Other fields of the event with the same string. */
  readonly twins: [target: Draft, key: string][];
}

/** A value that passes the stages as a whole: a tool call without its arguments, or an unknown field. */
export interface WholeValue {
  readonly delta: Delta;
  /** True if the stages have passed, replaced or removed it. */
  settled: boolean;
  /** Writes another part or value. `undefined` removes it. */
  write(value: unknown): void;
}

/** The finish mark of an event. */
export interface FinishMark {
  readonly delta: FinishDelta;
  /** True if it has come through the stages. */
  through: boolean;
  /** Replaces the finish mark of the event. */
  readonly write: ((finish: FinishDelta) => void) | undefined;
}

/** The fields of an object that a format knows. It may depend on the field's value. */
export interface KnownFields {
  has(name: string, value: unknown): boolean;
}

/**
 * The strings and values of one JSON body that plugins may change. A format registers them, and the stages see them as
 * deltas. `fill` and `complete` put the released strings into the body. Everything else in the body stays unchanged.
 */
export class Edit {
  /** The deltas for the stages, in order. */
  readonly deltas: Delta[] = [];
  /** The values that pass the stages as a whole. */
  readonly values: WholeValue[] = [];
  /** The places that end with this event. */
  readonly ends: Place[] = [];
  /** Strings that need a separate event before this one. */
  readonly extras: [place: Place, text: string][] = [];
  /** The names of the parts that were only shown. */
  readonly noted: string[] = [];
  finishMark: FinishMark | undefined;
  /** True if the event ends the answer: it is sent after everything that the stages hold back. */
  terminal = false;
  /** True if a value or the finish mark was replaced. */
  touched = false;
  /** True if the event is not sent because its part was removed. */
  dropped = false;
  readonly #slots: Slot[] = [];
  #separate: Place | undefined;
  readonly #copies: Pick<Slot, "place" | "target" | "key">[] = [];
  readonly #hooks: (() => boolean)[] = [];

  /** @param places the places of the answer, by name. */
  constructor(
    readonly body: Draft,
    readonly places: Map<string, Place>,
  ) {}

  /**
   * Registers a string. The client joins strings with the same `at`, so guards see them as one text. A field without a
   * string is ignored.
   *
   * @param twinOf the place whose string some providers repeat in this field. An equal string is not shown twice.
   */
  text(at: string, kind: PlaceKind, target: Draft, key: string, twinOf?: string): void {
    const content = target[key];
    if (typeof content !== "string") return;
    const twin = twinOf && this.#slots.find((slot) => slot.place.at === twinOf && slot.content === content);
    if (twin) twin.twins.push([target, key]);
    else this.#slot(this.#placeOf(at, kind), content, target, key, false);
  }

  /** Shows the stages that a part begins, before its first text. Parts keep this order in the reply. */
  begin(at: string, kind: PlaceKind): void {
    this.deltas.push(this.#placeOf(at, kind).push(""));
  }

  /**
   * Registers a string that the client does not join with others, although a value may be split over several of them.
   * Its event waits until the text is released or the place's next string arrives.
   */
  separateText(at: string, kind: PlaceKind, target: Draft, key: string): void {
    this.text(at, kind, target, key);
    this.#separate = this.places.get(at) ?? this.#separate;
  }

  /** True if the event waits for text that the stages hold back. */
  get waits(): boolean {
    const place = this.#separate;
    return place?.holds === true && place.latest === this.body;
  }

  /**
   * Registers a string that repeats the whole text of a place. It is replaced by the text that was sent. If the
   * provider sent less text before, or none, the stages see the rest of the string.
   */
  copy(at: string, kind: PlaceKind, target: Draft, key: string): void {
    const content = target[key];
    if (typeof content !== "string") return;
    const place = this.#placeOf(at, kind);
    if (content === place.came) this.#copies.push({ place, target, key });
    else if (!place.ended && content.startsWith(place.came)) {
      this.#slot(place, content.slice(place.came.length), target, key, true);
    } else {
      // The provider repeats a different text than it sent, so this is a separate text.
      const other = `${at}/copy${this.places.size}`;
      this.#slot(this.#placeOf(other, kind), content, target, key, false);
      this.end(other);
    }
  }

  /** Registers a complete part. The arguments of a call are a separate place with the same `at`. */
  part(at: string, part: Part, write: (part: Part | undefined) => void): void {
    this.#value({ type: "part", at, part, inPlace: true }, (value) => write(value as Part | undefined));
  }

  /** Registers a complete part that ends here, so that no stage waits for more of it. */
  wholePart(at: string, part: Part, write: (part: Part | undefined) => void): void {
    this.part(at, part, write);
    this.end(at);
  }

  /**
   * Shows the stages a part, or a piece of one, that stays unchanged in the event: a signature, or a part whose strings
   * are places.
   */
  note(at: string, part: Part): void {
    this.noted.push(at);
    this.deltas.push({ type: "part", at, part, inPlace: true });
  }

  /** Registers a value that is not a part of the message. */
  value(name: string, value: unknown, write: (value: unknown) => void): void {
    this.#value({ type: "event", name, value, inPlace: true }, write);
  }

  /** Registers the fields of an object that the format does not know, as one value. */
  rest(name: string, object: Draft, known: KnownFields): void {
    const extra = unknownFields(object, known);
    if (extra === undefined) return;
    this.value(name, extra, (value) => {
      for (const key of Object.keys(extra)) delete object[key];
      if (typeof value === "object" && value !== null) Object.assign(object, value);
    });
  }

  /** Reports the end of a place or a part to the stages. */
  end(at: string): void {
    const place = this.places.get(at);
    if (place?.ended === true) return;
    if (place !== undefined) {
      place.ended = true;
      this.ends.push(place);
    }
    this.deltas.push({ type: "part_end", at, inPlace: true });
  }

  /** Ends all places whose names begin with `scope`. */
  endAll(scope = ""): void {
    for (const { at, ended } of this.places.values()) if (!ended && at.startsWith(scope)) this.end(at);
  }

  /** Reports the end of the answer to the stages. */
  finish(finish: FinishDelta, write?: (finish: FinishDelta) => void): void {
    const delta: FinishDelta = { ...finish, inPlace: true };
    this.finishMark = { delta, through: false, write };
    this.deltas.push(delta);
  }

  /**
   * Registers a change that depends on the released text. It runs when the event is sent.
   *
   * @param hook returns true if it has changed the body.
   */
  whenSent(hook: () => boolean): void {
    this.#hooks.push(hook);
  }

  /** Returns true if the event contains a string of this place. */
  takes(place: Place): boolean {
    return this.#slots.some((slot) => slot.place === place);
  }

  /** Returns true if text of the places in `scope` was changed or is held: in this event if it has such text, else so far. */
  differsIn(scope: string): boolean {
    const slots = this.#slots.filter(({ place }) => place.at.startsWith(scope));
    if (slots.length > 0) return slots.some(({ original, target, key }) => target[key] !== original);
    for (const place of this.places.values()) if (place.at.startsWith(scope) && !place.even) return true;
    return false;
  }

  /** Puts the released text into the slots, and text that no event can take into `extras`. Returns true if the body has changed. */
  fill(): boolean {
    let changed = this.touched;
    for (const slot of this.#slots) if (this.#fill(slot)) changed = true;
    for (const place of this.ends) {
      if (place.ready !== "") this.extras.push([place, place.ready]);
      place.sent += place.ready;
      place.ready = "";
    }
    return changed;
  }

  /** Puts the text that was sent into the copies, and runs the hooks. Returns true if the body has changed. */
  complete(): boolean {
    let changed = false;
    for (const { place, target, key } of this.#copies) {
      if (place.sent === place.came) continue;
      target[key] = place.sent;
      changed = true;
    }
    for (const hook of this.#hooks) if (hook()) changed = true;
    return changed;
  }

  #fill(slot: Slot): boolean {
    const { place, original, content, target, key, repeats, twins } = slot;
    // The last slot of a place takes all. An earlier one keeps its string if that was released.
    const isLast = this.#slots.findLast((other) => other.place === place) === slot;
    if (repeats) this.#sendBefore(slot);
    const released = isLast ? place.ready : place.ready.startsWith(content) ? content : "";
    place.ready = place.ready.slice(released.length);
    place.sent += released;
    place.body = this.body;
    const written = repeats ? place.sent : released;
    if (written === original) return false;
    target[key] = written;
    for (const [other, name] of twins) other[name] = written;
    return true;
  }

  /** Takes held text of earlier events out of the released text, if nothing was changed. */
  #sendBefore({ place, original, content }: Slot): void {
    if (place.sent + place.ready !== original) return;
    const held = original.slice(place.sent.length, original.length - content.length);
    if (held === "") return;
    place.ready = place.ready.slice(held.length);
    place.sent += held;
    this.extras.push([place, held]);
  }

  #placeOf(at: string, kind: PlaceKind): Place {
    const place = this.places.get(at) ?? new Place(at, kind);
    this.places.set(at, place);
    return place;
  }

  #slot(place: Place, content: string, target: Draft, key: string, repeats: boolean): void {
    this.#slots.push({ place, original: String(target[key]), content, target, key, repeats, twins: [] });
    place.latest = this.body;
    // A provider may continue a place that had ended.
    if (content !== "" && place.ended) place.ended = place.closed = place.over = false;
    if (content !== "") this.deltas.push(place.push(content));
  }

  #value(delta: Delta, write: (value: unknown) => void): void {
    this.deltas.push(delta);
    this.values.push({
      delta,
      settled: false,
      write: (value) => {
        this.touched = true;
        write(value);
      },
    });
  }
}

/** Returns the fields of an object that are not known and not empty, or `undefined` if all are. */
export function unknownFields(object: Readonly<Draft>, known: KnownFields): Draft | undefined {
  let rest: [string, unknown][] | undefined; // usually stays undefined: this runs for each message and each event
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (isEmpty(value) || known.has(key, value)) continue;
    rest ??= [];
    rest.push([key, value]);
  }
  return rest && Object.fromEntries(rest);
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
