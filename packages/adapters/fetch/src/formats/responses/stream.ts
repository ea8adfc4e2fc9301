import type { Delta, FinishDelta, Part } from "@suite/core";
import { responsesFinish } from "@suite/wire";
import { refused } from "../../errors.js";
import { isJson, type Json, jsonOf, numberOf, objectsOf, stringOf } from "../../json.js";
import type { Draft, Slot, StreamFormat } from "../../neutral/format.js";
import { Ledger } from "../../neutral/ledger.js";
import { writeSlots } from "../../neutral/write.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { isDone, jsonIn } from "../../sse/json-event.js";
import { itemSteps, outputOf } from "./answer.js";
import { Item, type RawEvent, repeatedSlot } from "./item.js";
import { contentSlots, itemSlots, newItem } from "./slots.js";
import { emptied, placeOf, repeatOf } from "./step.js";

/** The places of what an event repeats: a response, an item, or content of a message. */
function slotsIn(body: Draft): readonly Slot[] | undefined {
  if (isJson(body.response)) return outputOf(body.response as Draft).slots;
  if (isJson(body.item)) return [...itemSlots(body.item as Draft, numberOf(body.output_index), () => {})];
  const said = repeatOf(stringOf(body.type));
  if (said?.letter !== "t" || !isJson(body.part)) return undefined;
  return [...contentSlots(body.part as Draft, placeOf(said, body))];
}

const starts: ReadonlySet<string> = new Set(["response.created", "response.queued", "response.in_progress"]);

/** An event by which something begins, without what it says of that already; any other one as it is. */
function opened(raw: RawEvent): RawEvent {
  const type = stringOf(raw.body.type);
  if (!starts.has(type) && !type.endsWith(".added")) return raw;
  const body = emptied(raw.body);
  return body === raw.body ? raw : { event: eventOf(body, type), body };
}

/**
 * The events of a streamed response. Pieces go out as they come through; what repeats a whole text waits until all of
 * that is through, and then says the same.
 */
export class ResponseStream implements StreamFormat {
  readonly out: ServerEvent[] = [];
  begun = false;
  finished = false;
  #finish: FinishDelta = { type: "finish" };
  #changed: FinishDelta | undefined;
  readonly #items = new Map<number, Item>();
  readonly #ledger = new Ledger();
  #waiting: (RawEvent & { readonly item: Item })[] = [];
  #last: RawEvent | undefined;
  /** Items of which the end of a text has come through, and the place of the last of these. */
  readonly #ending = new Set<Item>();
  #lastEnd = "";
  /** The numbers of the provider's events, for those that go out, and the last of these. */
  #numbers: number[] = [];
  #number = -1;
  readonly #raw = new WeakMap<Delta, RawEvent>();

  read(event: ServerEvent): readonly Delta[] {
    this.begun = true;
    this.#advance(true);
    if (isDone(event)) {
      this.out.push(event);
      return [];
    }
    const raw = opened({ event, body: jsonIn(event) });
    if (typeof raw.body.sequence_number === "number") this.#numbers.push(raw.body.sequence_number);
    switch (raw.body.type) {
      case "error":
      case "response.failed":
        throw refused(200, this.#rewritten(raw.body));
      case "response.completed":
      case "response.incomplete": {
        const { output_text: repeated, ...response } = jsonOf(raw.body.response);
        this.#last = repeated === undefined ? raw : { ...raw, body: { ...raw.body, response } };
        this.finished = true;
        this.#finish = responsesFinish(response);
        return [...objectsOf(response.output).flatMap((item, index) => this.#missing(item, index)), this.#finish];
      }
      default:
        return typeof raw.body.output_index === "number" ? this.#read(raw, raw.body.output_index) : this.#beside(raw);
    }
  }

  cutShort(): readonly Delta[] {
    return [];
  }

  write(delta: Delta): void {
    if (delta.type === "finish") {
      if (delta !== this.#finish) this.#changed = delta;
      return;
    }
    this.#ledger.add(delta);
    const raw = this.#raw.get(delta);
    const item = this.#itemAt(delta.type === "event" ? (delta.name.split("/")[1] ?? "") : delta.at);
    if (delta.type === "part_end" && item !== undefined) this.#endOf(item, delta.at);
    else if (this.#ending.size > 0) this.#giveWay(delta);
    for (const kept of item?.through(delta, raw !== undefined) ?? []) this.#send(kept);
    const beside = delta.type === "event" && !delta.name.includes("/") ? jsonOf(delta.value) : undefined;
    const body = raw === undefined ? (beside ?? item?.fresh(delta)) : undefined;
    if (raw !== undefined) this.#send(raw);
    else if (body !== undefined) this.#send({ body });
    this.#advance(false);
  }

  end(): void {
    this.#advance(true, true);
    const places = [...this.#ledger.places()].filter((at) => this.#itemAt(at)?.has(at) !== true);
    const parts = places.flatMap((at) => this.#ledger.part(at) ?? []);
    for (const [number, part] of parts.entries()) {
      const index = this.#items.size + number;
      for (const body of itemSteps(newItem(part, index), index)) this.#send({ body: { sequence_number: 0, ...body } });
    }
    if (this.#last !== undefined) this.#end(this.#last, parts);
  }

  #end(last: RawEvent, parts: readonly Part[]): void {
    const copy = structuredClone(last.body) as Draft;
    const view = outputOf(jsonOf(copy.response) as Draft);
    let changed = writeSlots(view.slots, this.#letThrough);
    for (const part of parts) {
      view.append(part);
      changed = true;
    }
    const { finishReason } = this.#changed ?? {};
    if (finishReason !== undefined && finishReason !== this.#finish.finishReason) {
      view.writeFinish(this.#changed ?? this.#finish);
      changed = true;
    }
    this.#send(changed || "output_text" in jsonOf(last.body.response) ? { body: copy } : last);
  }

  #read(raw: RawEvent, index: number): readonly Delta[] {
    let item = this.#items.get(index);
    if (item === undefined) {
      item = new Item(index, jsonOf(raw.body.item).type);
      this.#items.set(index, item);
    }
    const reading = item.read(raw);
    if (reading === "passes") this.#send(raw);
    if (reading === "waits") {
      this.#waiting.push({ ...raw, item });
      const slots = slotsIn({ ...raw.body }) ?? repeatedSlot(raw.body) ?? [];
      const deltas = [...item.missing([slots].flat()), ...item.endsAt(raw)];
      if (deltas.length === 0) this.#advance(true);
      return deltas;
    }
    if (typeof reading === "string") return [];
    for (const delta of reading) this.#raw.set(delta, raw);
    return reading;
  }

  /** Reads an event of no item: the response as it begins, which repeats the request; or one that nobody has looked at. */
  #beside(raw: RawEvent): readonly Delta[] {
    const type = stringOf(raw.body.type);
    if (starts.has(type)) {
      this.#send(raw);
      return [];
    }
    const delta: Delta = { type: "event", name: type, value: raw.body };
    this.#raw.set(delta, raw);
    return [delta];
  }

  #missing(item: Json, index: number): readonly Delta[] {
    const known = this.#items.get(index) ?? new Item(index, item.type);
    this.#items.set(index, known);
    return known.missing([...itemSlots({ ...item }, index, () => {})]);
  }

  #endOf(item: Item, at: string): void {
    this.#ending.add(item);
    this.#lastEnd = at;
  }

  /** A piece of anything but the text that has ended last. */
  #giveWay(delta: Delta): void {
    if ("at" in delta && delta.at === this.#lastEnd) return;
    for (const item of this.#ending) item.giveWay();
    this.#ending.clear();
  }

  #itemAt(at: string): Item | undefined {
    return this.#items.get(Number.parseInt(at.slice(1), 10));
  }

  /**
   * Sends the events that need not wait any more, in order.
   *
   * @param given whether all that has come was given to the layers.
   */
  #advance(given: boolean, all = false): void {
    if (this.#waiting.length === 0) return;
    const ready = this.#waiting.map((waiting) => all || waiting.item.settled(waiting, given));
    const going = this.#waiting.filter((_, index) => ready[index]);
    this.#waiting = this.#waiting.filter((_, index) => !ready[index]);
    for (const { event, body, item } of going) {
      const copy = this.#rewritten(body, item);
      this.#send(copy === body ? { event, body } : { body: copy });
    }
  }

  /** An event with those whole texts that were let through; itself where they are. */
  #rewritten(body: Json, item?: Item): Json {
    const copy = structuredClone(body) as Draft;
    const slots = slotsIn(copy);
    const changed = slots === undefined ? item?.rewrite(copy) : writeSlots(slots, this.#letThrough);
    return changed ? copy : body;
  }

  readonly #letThrough = ({ at }: Slot): Part | undefined => this.#ledger.part(at);

  #send({ event, body }: { readonly event?: ServerEvent; readonly body: Json }): void {
    const numbered = typeof body.sequence_number === "number";
    if (numbered) this.#number = this.#numbers.shift() ?? this.#number + 1;
    const same = !numbered || body.sequence_number === this.#number;
    const type = stringOf(body.type);
    this.out.push(
      event !== undefined && same ? event : eventOf(numbered ? { ...body, sequence_number: this.#number } : body, type),
    );
  }
}
