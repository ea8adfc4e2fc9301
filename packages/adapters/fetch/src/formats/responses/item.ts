import type { Delta, Part } from "@suite/core";
import { isJson, type Json, jsonOf, stringOf, textOfValue } from "../../json.js";
import type { Draft, Slot } from "../../neutral/format.js";
import type { ServerEvent } from "../../sse/event.js";
import { itemPart } from "./items.js";
import { itemSlots } from "./slots.js";
import { halves, pieceOf, placeOf, repeatOf } from "./step.js";

/** An event of the provider's. */
export interface RawEvent {
  readonly event: ServerEvent;
  readonly body: Json;
}

/** The text at one place of an item, as it comes and goes. */
interface Place {
  came: string;
  went: string;
  /** Whether its end was told to the layers. */
  told?: boolean;
  /** Whether its end has come through. */
  ended?: boolean;
  /** Whether nothing of the text follows. */
  over?: boolean;
  /** The last event with a piece of it, after which new ones are made. */
  last?: Json;
}

/** The reading of an event: its deltas go through the layers, or it goes out as it is, waits, or is kept. */
export type ReadEvent = readonly Delta[] | "passes" | "waits" | "kept";

/** Items whose texts are read in pieces; those of the provider's own tools are read whole. */
const inPieces: ReadonlySet<unknown> = new Set(["message", "reasoning", "function_call", "custom_tool_call"]);

/** One item of a streamed output. */
export class Item {
  readonly #index: number;
  readonly #type: unknown;
  readonly #places = new Map<string, Place>();
  /** Pieces of what a tool of the provider is at: they go out once the whole of it has come through untouched. */
  #kept: RawEvent[] = [];
  /** The places that events were about, by the name that they have in the layers. */
  readonly #about = new Map<string, Json>();
  #ended = false;

  constructor(index: number, type: unknown) {
    this.#index = index;
    this.#type = type;
  }

  /**
   * Whether an event that repeats what was said may go out: nothing of that follows, since its end has come through, or all
   * of it has come and gone through as it was.
   *
   * @param given whether all that has come was given to the layers.
   */
  settled({ body }: RawEvent, given: boolean): boolean {
    const done = (place: Place): boolean => place.over === true || (given && place.came === place.went);
    const said = repeatOf(stringOf(body.type));
    const at = said && placeOf(said, body);
    if (at === undefined || !this.#places.has(at)) return this.#ended && [...this.#places.values()].every(done);
    return [...this.#places].every(([each, place]) => (each !== at && each !== `${at}/extra`) || done(place));
  }

  /** The ends that an event tells: of the text that it repeats, or of the whole item. */
  endsAt({ body }: RawEvent): readonly Delta[] {
    const said = repeatOf(stringOf(body.type));
    const at = said && placeOf(said, body);
    const places = at === undefined ? [...this.#places.keys()] : [at, `${at}/extra`];
    return places.flatMap((at): readonly Delta[] => {
      const place = this.#places.get(at);
      if (place === undefined || place.told) return [];
      place.told = true;
      return [{ type: "part_end", at }];
    });
  }

  has(at: string): boolean {
    return this.#places.has(at);
  }

  read(raw: RawEvent): ReadEvent {
    const { body } = raw;
    const type = stringOf(body.type);
    if (type === "response.output_item.added") return this.#added(jsonOf(body.item), body);
    if (type === "response.output_item.done") return this.#done(jsonOf(body.item), body);
    const piece = pieceOf(type);
    if (piece !== undefined) return [this.#piece(placeOf(piece, body), piece.letter, stringOf(body.delta), body)];
    if (repeatOf(type) !== undefined) return "waits";
    if (type.endsWith(".delta")) {
      this.#kept.push(raw);
      return "kept";
    }
    const [about, said] = halves(body);
    if (Object.keys(said).length === 0 || /_part\.added$/.test(type)) return "passes";
    const name = `${type}/i${this.#index}`;
    this.#about.set(name, about);
    return [{ type: "event", name, value: said }];
  }

  /**
   * Something else has come through: a text that was changed, and whose end has come through, is over. Until then a layer
   * that keeps text for the end of the answer can still add it.
   */
  giveWay(): void {
    for (const place of this.#places.values()) if (place.ended && place.went !== "") place.over = true;
  }

  /** The deltas of these slots that have not come in pieces: a server may tell all at once. */
  missing(slots: readonly Slot[]): readonly Delta[] {
    return slots.flatMap(({ at, part }): readonly Delta[] => {
      const place = this.#places.get(at);
      if (part.type === "tool_call" && place !== undefined) {
        return place.came === "" ? [this.#piece(at, "c", textOfValue(part.arguments))] : [];
      }
      if (place === undefined) {
        this.#places.set(at, { came: keyOf(part), went: "" });
        return [{ type: "part", at, part }];
      }
      const rest = "content" in part ? (part.content ?? "").slice(place.came.length) : "";
      return rest === "" ? [] : [this.#piece(at, part.type === "reasoning" ? "r" : "t", rest)];
    });
  }

  /** Something was let through. The pieces that waited for it, where it is what came. */
  through(delta: Delta, untouched: boolean): readonly RawEvent[] {
    if (delta.type === "part_end") {
      const place = this.#places.get(delta.at);
      if (place !== undefined) Object.assign(place, { ended: true, over: place.came === place.went });
      return [];
    }
    if (delta.type === "part" || delta.type === "arguments") {
      const place = this.#places.get(delta.at);
      if (place !== undefined) place.went += delta.type === "arguments" ? delta.json : keyOf(delta.part);
    }
    if (this.#kept.length === 0 || (delta.type === "event" && !delta.name.includes(".done/"))) return [];
    const kept = this.#kept;
    this.#kept = [];
    return untouched ? kept : [];
  }

  /** An event of the provider's for what a layer changed, or held back. */
  fresh(delta: Delta): Json | undefined {
    if (delta.type === "finish" || delta.type === "part_end") return undefined;
    if (delta.type === "event") return { ...this.#about.get(delta.name), ...jsonOf(delta.value) };
    const last = this.#places.get(delta.at)?.last;
    if (last === undefined) return undefined;
    // Without an event of a piece of them, the arguments are told at the end.
    if (delta.type === "arguments") return isJson(last.item) ? undefined : { ...last, delta: delta.json };
    const { part } = delta;
    if (!isJson(last.item)) {
      if (!("content" in part) || part.content === "") return undefined;
      return { ...last, delta: part.content, ...("logprobs" in last && { logprobs: [] }) };
    }
    const item: Draft = structuredClone(last.item);
    for (const slot of itemSlots(item, this.#index, () => {})) slot.write(part);
    return { ...last, item };
  }

  /** Writes over an event what was let through of it. Whether anything had to be changed. */
  rewrite(body: Draft): boolean {
    const said = repeatOf(stringOf(body.type));
    const place = said && this.#places.get(placeOf(said, body));
    if (said?.repeats === undefined || place === undefined) return false;
    const holder = said.repeats === "part" ? (body.part as Draft) : body;
    const field = said.repeats === "part" ? (holder.type === "refusal" ? "refusal" : "text") : said.repeats;
    if (holder[field] === place.went) return false;
    holder[field] = place.went;
    if ("logprobs" in holder) holder.logprobs = [];
    if ("annotations" in holder) holder.annotations = [];
    return true;
  }

  #added(item: Json, body: Json): ReadEvent {
    if (item.type === "message" || item.type === "reasoning") return "passes";
    if (!inPieces.has(item.type)) {
      const name = `response.output_item.added/i${this.#index}`;
      this.#about.set(name, halves(body)[0]);
      return [{ type: "event", name, value: { item } }];
    }
    const at = `c${this.#index}`;
    this.#places.set(at, { came: "", went: "", last: body });
    const part = itemPart({ ...item, arguments: "", input: "" });
    return [{ type: "part", at, part: part.type === "tool_call" ? { ...part, arguments: {} } : part }];
  }

  #done(item: Json, body: Json): ReadEvent {
    this.#ended = true;
    if (inPieces.has(this.#type)) return "waits";
    const at = `i${this.#index}`;
    const part = itemPart(item);
    this.#places.set(at, { came: keyOf(part), went: "", last: body });
    return [{ type: "part", at, part }];
  }

  #piece(at: string, letter: string, text: string, body?: Json): Delta {
    const place = this.#places.get(at) ?? { came: "", went: "" };
    this.#places.set(at, place);
    place.came += text;
    if (body !== undefined) place.last = body;
    if (letter === "c") return { type: "arguments", at, json: text };
    return { type: "part", at, part: { type: letter === "t" ? "text" : "reasoning", content: text } };
  }
}

/** The text that an event repeats, as a slot of it. */
export function repeatedSlot(body: Json): Slot | undefined {
  const said = repeatOf(stringOf(body.type));
  const content = said?.repeats === undefined || said.repeats === "part" ? undefined : body[said.repeats];
  if (said === undefined || said.letter === "c" || typeof content !== "string") return undefined;
  const type = said.letter === "t" ? "text" : "reasoning";
  return { at: placeOf(said, body), part: { type, content }, write: () => {} };
}

/** The text of a part by which it is told whether all that came went out again. A call is told by its arguments, which may come in pieces. */
const keyOf = (part: Part): string => {
  if (part.type === "text" || part.type === "reasoning") return part.content;
  if (part.type !== "tool_call") return JSON.stringify(part);
  const args = part.arguments;
  return isJson(args) && Object.keys(args).length === 0 ? "" : textOfValue(args);
};
