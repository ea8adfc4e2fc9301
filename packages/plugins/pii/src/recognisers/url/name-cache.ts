import { unitAt } from "../../scan/characters.js";
import { isHost } from "./characters.js";

/** The number of cached names, each in a slot computed from the characters around its dot, and their maximum length. */
const places = 256;
const longest = 64;

/**
 * The scores of names that were met last. A name that is known is found by one of its dots, without being read to its
 * ends.
 */
export class NameCache {
  readonly #names: string[] = Array.from({ length: places }, () => "");
  readonly #dots = new Uint8Array(places);
  readonly #scores = new Float64Array(places);

  /** Returns the slot of the whole name inside `[from, to)` whose dot is at `dot`, or -1 if it is not cached. */
  find(text: string, dot: number, from: number, to: number): number {
    const place = placeOf(text, dot);
    const name = this.#names[place] ?? "";
    const start = dot - (this.#dots[place] ?? 0);
    const end = start + name.length;
    if (name === "" || start < from || end > to || !text.startsWith(name, start)) return -1;
    if (start > from && isHost(text.charCodeAt(start - 1))) return -1;
    if (end === to) return place;
    const after = text.charCodeAt(end);
    // Outside of ASCII a host may go on.
    return isHost(after) || after > 127 ? -1 : place;
  }

  /** The distance from the beginning of a known name to its dot. */
  dotOf(place: number): number {
    return this.#dots[place] ?? 0;
  }

  lengthOf(place: number): number {
    return (this.#names[place] ?? "").length;
  }

  scoreOf(place: number): number {
    return this.#scores[place] ?? 0;
  }

  /** Caches the score of a name, with the position of the dot that identifies it. */
  set(text: string, dot: number, start: number, name: string, score: number): void {
    if (name.length > longest) return;
    const place = placeOf(text, dot);
    this.#names[place] = name;
    this.#dots[place] = dot - start;
    this.#scores[place] = score;
  }
}

/**
 * The place of a name, by the two characters on either side of its dot: names that have one place put each other out.
 */
function placeOf(text: string, dot: number): number {
  const upper = unitAt(text, dot - 2) * 31 + unitAt(text, dot - 1);
  const hash = (upper * 31 + unitAt(text, dot + 1)) * 31 + unitAt(text, dot + 2);
  return (hash ^ (hash >>> 8)) & (places - 1);
}
