import { HIDDEN, isAlpha, isDigit, isHex, isLetter, isWord, kinds, SPACE } from "./characters.js";
import { isDash } from "./dash.js";

/**
 * A site: a pattern that every value of a type contains. The single pass over a text uses it to find places where a
 * value may be. Notation: a letter for each set of characters below, any other character for itself; a suffix `{n}`,
 * `+`, `*` or `?`; a prefix `^` if no digit may stand before it. It matches at every position and with every possible
 * length.
 */
export type Site = string;

const isSpace = (code: number): boolean => ((kinds[code] ?? 0) & SPACE) !== 0;
const isOf = (code: number, marks: string): boolean => code < 128 && marks.includes(String.fromCharCode(code));

/** Sets of characters by their letters. Outside of ASCII they may look at `traits` alone. */
const sets: Readonly<Record<string, (code: number) => boolean>> = {
  __proto__: null as never,
  d: isDigit,
  x: isHex,
  f: (code) => isHex(code) && !isDigit(code),
  a: isAlpha,
  w: (code) => isWord(code) || code === 95,
  /** A letter of any script with spaces between words. */
  l: (code) => isAlpha(code) || code === 95 || isLetter(code),
  /** A character after the dot of a name: as above, and letters of other scripts, and symbols. */
  n: (code) => isAlpha(code) || code === 95 || isLetter(code) || code >= 0xe00,
  /** A character after the dot of a name with a letter before the dot: as `w` or `n`. */
  m: (code) => isWord(code) || code === 95 || isLetter(code) || code >= 0xe00,
  /** A character between the groups of a card. */
  s: (code) => isSpace(code) || isDash(code) || isOf(code, "-./_\n\r"),
  /** The characters of `s` without the dot, and the dot and line ends. */
  t: (code) => isSpace(code) || isDash(code) || isOf(code, "-/_\n\r"),
  b: (code) => isOf(code, ".\n\r"),
  /** A character between the groups of a phone number, and the same without the dot. */
  g: (code) => isSpace(code) || isOf(code, "()-./"),
  h: (code) => isSpace(code) || isOf(code, "()-/"),
  /** A character that is not of ASCII. */
  j: (code) => code > 127,
  /** A space. */
  u: isSpace,
  /** A hyphen or a space. */
  e: (code) => isSpace(code) || code === 45,
  /** A letter of ASCII, an underscore or a plus. */
  p: (code) => isAlpha(code) || isOf(code, "_+"),
  /** A mark between the letters and digits of a key or password. */
  q: (code) => isOf(code, "-+/.~%$!@#^*"),
  /** Letters that are rare in prose. */
  k: (code) => isOf(code, "JKQXZ"),
  /** A character of a token, and one that is not a digit. */
  c: (code) => isWord(code) || isOf(code, "_+/-"),
  o: (code) => isAlpha(code) || isOf(code, "_+/-"),
  /** A character that is neither letter nor digit. */
  v: (code) => !isWord(code),
  /** A character after which a run of groups of digits begins, and a mark inside one. */
  r: (code) => !isWord(code) && !isOf(code, "-./"),
  i: (code) => isOf(code, "-./"),
  /** An escaped character, and the one after the mark of an escape. */
  z: (code) => ((kinds[code] ?? 0) & HIDDEN) !== 0,
  y: (code) => isAlpha(code) || isOf(code, "/\\#"),
};

/** All that `sets` look at outside of ASCII. */
const traits = (code: number): number => ((kinds[code] ?? 0) << 2) | (isDash(code) ? 2 : 0) | (code >= 0xe00 ? 1 : 0);

/** One character of a site. */
interface Step {
  /** The index of its set among those of the sites. */
  readonly set: number;
  /** True if it may repeat. */
  readonly again: boolean;
  /** True if it may be left out. */
  readonly optional: boolean;
}

/** A site in steps. */
export interface Steps {
  readonly afterDigit: boolean;
  readonly steps: readonly Step[];
}

/** Sites in steps, and the sets that they are made of. */
export class Alphabet {
  readonly sites: readonly Steps[];
  /** The class of each UTF-16 unit: units that are in the same sets. */
  readonly classes = new Uint8Array(65536);
  /** The sets that each class is in. The first of all sets is that of the digits. */
  readonly members: readonly (readonly boolean[])[];
  readonly #letters: string[] = ["d"];

  constructor(sites: readonly Site[]) {
    this.sites = sites.map((site) => this.#read(site));
    this.members = this.#classify();
  }

  #read(site: Site): Steps {
    const steps: Step[] = [];
    for (const [, mark = "", count, sign] of site.replace(/^\^/, "").matchAll(/(.)(?:\{(\d+)\}|([+*?]))?/gs)) {
      const known = this.#letters.indexOf(mark);
      const set = known >= 0 ? known : this.#letters.push(mark) - 1;
      const step = { set, again: sign === "+" || sign === "*", optional: sign === "*" || sign === "?" };
      steps.push(...Array.from({ length: Number(count ?? 1) }, () => step));
    }
    return { afterDigit: !site.startsWith("^"), steps };
  }

  #classify(): (readonly boolean[])[] {
    const tests = this.#letters.map((mark) => sets[mark] ?? ((code: number) => code === mark.charCodeAt(0)));
    const members: (readonly boolean[])[] = [];
    const known = new Map<string, number>();
    const classify = (code: number): number => {
      const member = tests.map((test) => test(code));
      const key = member.join();
      const place = known.get(key) ?? members.push(member) - 1;
      known.set(key, place);
      return place;
    };
    const byTraits: number[] = [];
    for (let code = 0; code < 128; code++) this.classes[code] = classify(code);
    for (let code = 128; code < 65536; code++) this.classes[code] = byTraits[traits(code)] ??= classify(code);
    return members;
  }
}
