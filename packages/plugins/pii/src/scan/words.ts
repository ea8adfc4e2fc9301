import { contextWindow, type Label, words } from "./labels.js";
import { providers } from "./providers.js";

/**
 * The labels of a word for the value after it, as a set of bits: one for each label, and one for names of
 * secrets.
 */
export type LabelSet = number;

const labels: readonly Label[] = [
  "phone",
  "us_ssn",
  "iban",
  "credit_card",
  "crypto",
  "url",
  "ip",
  "mac",
  "id",
  "other",
];
/** A part of the names that keys and passwords have, or the name of a provider. */
export const ofSecret: LabelSet = 1 << labels.length;
/** The bit of words that may mark a password made up by a person, or `user:password` in base64, as a secret. */
export const ofPassword: LabelSet = ofSecret << 1;
const everything: LabelSet = (ofPassword << 1) - 1;

/** The bits of labels. */
export function labelSetOf(names: readonly string[]): LabelSet {
  return labels.reduce((set, label, bit) => (names.includes(label) ? set | (1 << bit) : set), 0);
}

/** The parts of words that stand anywhere in those before a secret: see `hint` in `names.ts`. */
const parts = "key token auth cred bearer jwt ssws user cookie sess".split(" ");
/** Parts of words that may name a password. See `kindOf` and `phrases.ts`. */
const passwordParts =
  `pass pwd secret basic wort woord senha haslo heslo parola lozinka sifre salasana jelsz adgangskode ident secur sandi login`.split(
    /\s+/,
  );
/** Whole words in names of secrets, in addition to the parts above. */
const wholes = ["pat", "sig"];
const passwordWholes = ["pw", "contrasenya"];

const letters = 32;
const afterHyphen = 30;
const foreign = 31;
/** The class of each unit: 1 to 26 for a letter, 0 for separators between letters. */
const classes = new Uint8Array(65536).fill(foreign, 128);
classes[45] = afterHyphen;
for (let letter = 1; letter <= 26; letter++) classes[letter + 64] = classes[letter + 96] = letter;

/** The labels of each state: anywhere in a word, and at the end of a word. */
interface Trie {
  /** The next state, by state and class. Below zero if the state has labels. */
  readonly table: Int16Array;
  readonly inside: Uint16Array;
  readonly atEnd: Uint16Array;
}

let trie: Trie | undefined;

/**
 * Builds the Aho-Corasick automaton of all these words, which finds each of them at any position in one step per
 * letter. Separators between letters are skipped, since names of providers may be written as two words.
 */
function compile(): Trie {
  const next: number[][] = [[]];
  const inside: LabelSet[] = [0];
  const atEnd: LabelSet[] = [0];
  const add = (word: string, to: LabelSet[], set: LabelSet): void => {
    let state = 0;
    if (!/^[a-z]+$/.test(word)) return;
    for (let at = 0; at < word.length; at++) {
      const step = next[state] ?? [];
      const letter = word.charCodeAt(at) - 96;
      if (step[letter] === undefined) {
        step[letter] = next.push([]) - 1;
        inside.push(0);
        atEnd.push(0);
      }
      state = step[letter] ?? 0;
    }
    to[state] = (to[state] ?? 0) | set;
  };
  for (const [word, label] of words) add(word, atEnd, labelSetOf([label]));
  for (const word of [...providers, ...wholes]) add(word, atEnd, ofSecret);
  for (const word of passwordWholes) add(word, atEnd, ofSecret | ofPassword);
  for (const part of parts) add(part, inside, ofSecret);
  for (const part of passwordParts) add(part, inside, ofSecret | ofPassword);
  const table = new Int16Array(next.length * letters);
  const fallback = new Uint16Array(next.length);
  const queue = [0];
  for (const state of queue) {
    inside[state] = (inside[state] ?? 0) | (inside[fallback[state] ?? 0] ?? 0);
    atEnd[state] = (atEnd[state] ?? 0) | (atEnd[fallback[state] ?? 0] ?? 0);
    for (let letter = 1; letter <= 26; letter++) {
      const known = next[state]?.[letter];
      const back = state === 0 ? 0 : (table[(fallback[state] ?? 0) * letters + letter] ?? 0);
      table[state * letters + letter] = known ?? back;
      if (known === undefined) continue;
      fallback[known] = back;
      queue.push(known);
    }
  }
  const speaks = (state: number): boolean => ((inside[state] ?? 0) | (atEnd[state] ?? 0)) !== 0;
  for (let place = 0; place < table.length; place++) {
    const state = table[place] ?? 0;
    if (speaks(state)) table[place] = -state;
  }
  return { table, inside: Uint16Array.from(inside), atEnd: Uint16Array.from(atEnd) };
}

/** Command line options followed by a password: `-p`, `--user`. */
const options = new Set([..."upawUPAW"].map((letter) => letter.charCodeAt(0)));
const isOption = (text: string, hyphen: number): boolean => {
  if (!options.has(text.charCodeAt(hyphen + 1))) return false;
  const before = hyphen === 0 ? 0 : text.charCodeAt(hyphen - 1);
  return before <= 32 || before === 45;
};

const isSmall = (code: number): boolean => code >= 97 && code <= 122;

const nowhere = Number.NEGATIVE_INFINITY;

/** The distance before the requested index at which reading restarts after a gap. Earlier words are not known. */
const margin = 32;

/**
 * The words of a text, read once and only if needed: tests if a word before a value says what the value is. It may
 * return more labels than `nearestLabel` and the names of secrets confirm later, but never fewer. A non-ASCII letter
 * counts as every label. So does the end of a longer word, since the units before a value may begin anywhere.
 */
export class Words {
  readonly #text: string;
  readonly #surroundings: string | undefined;
  #around: LabelSet | undefined;
  /** The end of the last word with each label, by bit. */
  readonly #last: number[] = [];
  #since: number;
  #at: number;
  #state = 0;

  /** @param surroundings The text before this one. */
  constructor(text: string, from: number, surroundings: string | undefined) {
    this.#text = text;
    this.#surroundings = surroundings;
    this.#since = Math.max(0, from - contextWindow);
    this.#at = this.#since;
  }

  /**
   * Returns true if a word with one of these labels may end within the context of a match that begins at `start`, and
   * before `to`.
   */
  mayPrecede(set: LabelSet, start: number, to: number): boolean {
    const first = start - contextWindow;
    if (first < 0 && this.#surroundings !== undefined && (this.#labelsIn(this.#surroundings) & set) !== 0) return true;
    if (first < this.#since && this.#since > 0) return true;
    if (this.#at < first - margin) {
      this.#at = this.#since = first - margin;
      this.#state = 0;
    }
    if (this.#at < to) this.#read(to);
    for (let bit = 0; set >> bit !== 0; bit++) {
      if (((set >> bit) & 1) !== 0 && (this.#last[bit] ?? nowhere) >= first) return true;
    }
    return false;
  }

  /** Returns true if the words before `at` are known, except for the last few. */
  isReadTo(at: number): boolean {
    return at - this.#at <= margin;
  }

  /** Skips text up to `at` that is known to contain no word. */
  skip(at: number): void {
    this.#at = Math.max(this.#at, at);
  }

  #labelsIn(surroundings: string): LabelSet {
    if (this.#around === undefined) {
      const words = new Words(surroundings, 0, undefined);
      words.#read(surroundings.length);
      this.#around = words.#last.reduce((set, _, bit) => set | (1 << bit), 0);
    }
    return this.#around;
  }

  #read(to: number): void {
    const text = this.#text;
    trie ??= compile();
    const { table } = trie;
    let state = this.#state;
    let at = this.#at;
    for (; at < to; at++) {
      const unit = classes[text.charCodeAt(at)] ?? 0;
      if (unit === 0) continue;
      if (unit >= afterHyphen) {
        if (unit === foreign) this.#record(everything, at);
        else if (isOption(text, at)) this.#record(ofSecret | ofPassword, at + 1);
        continue;
      }
      state = table[state * letters + unit] ?? 0;
      if (state >= 0) continue;
      state = -state;
      this.#match(trie, state, at);
    }
    this.#at = at;
    this.#state = state;
  }

  #match({ inside, atEnd }: Trie, state: number, at: number): void {
    const text = this.#text;
    const ends = at + 1 >= text.length || !isSmall(text.charCodeAt(at + 1));
    const set = (inside[state] ?? 0) | (ends ? (atEnd[state] ?? 0) : 0);
    if (set !== 0) this.#record(set, at);
  }

  #record(set: LabelSet, at: number): void {
    for (let bit = 0; set >> bit !== 0; bit++) if (((set >> bit) & 1) !== 0) this.#last[bit] = at + 1;
  }
}
