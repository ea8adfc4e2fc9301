/** The number of names that are kept, each in the place that its characters say, and none that is longer. */
const places = 256;
const longest = 64;

/** The scores of names that were met last. A name that is known is found without being cut out of its text. */
export class NameCache {
  readonly #names: string[] = Array.from({ length: places }, () => "");
  readonly #scores = new Float64Array(places);

  /** The score of the name `[from, to)`; undefined where it is not known. */
  get(text: string, from: number, to: number): number | undefined {
    const place = placeOf(text, from, to);
    const name = this.#names[place] ?? "";
    return name.length === to - from && text.startsWith(name, from) ? this.#scores[place] : undefined;
  }

  /** Keeps the score of a name, and gives it. */
  set(name: string, scoreOf: (name: string) => number): number {
    const score = scoreOf(name);
    if (name.length > longest) return score;
    const place = placeOf(name, 0, name.length);
    this.#names[place] = name;
    this.#scores[place] = score;
    return score;
  }
}

/** The place of a name, by its length and four of its characters: names that have one place put each other out. */
function placeOf(text: string, from: number, to: number): number {
  const middle = from + ((to - from) >> 1);
  const near = (text.charCodeAt(from) * 31 + text.charCodeAt(from + 1)) * 31 + text.charCodeAt(middle);
  const hash = (near * 31 + text.charCodeAt(to - 3)) * 31 + to - from;
  return (hash ^ (hash >>> 8)) & (places - 1);
}
