import type { Between } from "../recognisers/recogniser.js";
import type { CompiledRule } from "../rules/rule.js";
import { Breaks } from "./breaks.js";
import { HIDDEN, kinds } from "./characters.js";
import { ALPHA, ANYTHING, BACKSLASH, HASH, HEX_LETTER, NUMERAL, neighbours, pairs, SLASH } from "./neighbours.js";
import { isAmong, runKinds } from "./numbers.js";

/** What hidden forms begin with: `%40`, `\u0040`, `&#64;`, `=40`. */
const escapes: readonly Between[] = [
  { marks: "%", after: NUMERAL | HEX_LETTER },
  { marks: "\\", after: HEX_LETTER | ALPHA | SLASH | BACKSLASH },
  { marks: "&", after: HEX_LETTER | ALPHA | HASH },
  { marks: "=", after: NUMERAL },
];

/** What a set of rules looks for, compiled once: who looks closer where. */
export interface Plan {
  readonly rules: readonly CompiledRule[];
  /** From each UTF-16 unit to the number of the mark that it is, or `digit`; 0: nobody cares. */
  readonly table: Uint8Array;
  /** From each mark and the pair of its neighbours to an index into `interests`; 0: nobody cares. */
  readonly marks: Uint8Array;
  /** From the kind of a run of digits to an index into `interests`. */
  readonly numbers: Uint8Array;
  /** From each digit to the mark that it is to those who look at it wherever it stands in a run. */
  readonly everyDigit: Uint8Array | undefined;
  readonly interests: readonly Interest[];
  readonly breaks: Breaks;
}

/** In a plan's table: a run of digits begins. */
export const digit = 255;
const zero = 48;

/** Who looks at a place. */
export interface Interest {
  readonly rules: readonly CompiledRule[];
  /** The stretch around it is read a second time, decoded. */
  readonly hidden: boolean;
}

export function compilePlan(rules: readonly CompiledRule[]): Plan {
  const triggered = rules.flatMap((rule) => (rule.recogniser ? [{ rule, recogniser: rule.recogniser }] : []));
  const interests = new Interests();
  const table = new Uint8Array(65536);
  const marks = [new Uint8Array(pairs)];
  const numbers = new Uint8Array(runKinds);
  const breaks = new Breaks(triggered.map(({ recogniser }) => recogniser));
  const none = {
    rules,
    table,
    marks: new Uint8Array(pairs),
    numbers,
    everyDigit: undefined,
    interests: interests.all,
    breaks,
  };
  if (triggered.length === 0) return none;

  for (let code = 0; code < 128; code++) {
    const mark = String.fromCharCode(code);
    const asked = triggered.flatMap(({ rule, recogniser: { triggers, between = [] } }) =>
      [...between, { marks: triggers }].filter(({ marks }) => marks.includes(mark)).map((one) => ({ rule, ...one })),
    );
    const hiding = escapes.find(({ marks }) => marks === mark);
    if (asked.length === 0 && hiding === undefined) continue;
    const between = Uint8Array.from({ length: pairs }, (_, pair) =>
      interests.add(
        asked.filter((one) => isBetween(one, pair)).map(({ rule }) => rule),
        hiding !== undefined && isBetween(hiding, pair),
      ),
    );
    table[code] = marks.push(between) - 1;
  }
  const hidden = marks.push(new Uint8Array(pairs).fill(interests.add([], true))) - 1;
  for (let code = 128; code < 65536; code++) if (((kinds[code] ?? 0) & HIDDEN) !== 0) table[code] = hidden;

  for (let kind = 0; kind < runKinds; kind++) {
    const asked = triggered.filter(({ recogniser }) => recogniser.numbers?.some((one) => isAmong(one, kind)));
    numbers[kind] = interests.add(asked.map(({ rule }) => rule));
  }
  const digits = table.slice(zero, zero + 10);
  const everyDigit = digits.some((mark) => mark > 0) ? digits : undefined;
  if (everyDigit || numbers.some((index) => index > 0)) table.fill(digit, zero, zero + 10);
  return { ...none, marks: Uint8Array.from(marks.flatMap((one) => [...one])), everyDigit };
}

/** Each set of rules once. */
class Interests {
  readonly all: Interest[] = [{ rules: [], hidden: false }];
  readonly #known = new Map([["false", 0]]);

  /** Gives the index of a set; rules that were given twice count once. */
  add(rules: readonly CompiledRule[], hidden = false): number {
    const key = `${rules.map(({ order }) => order).join()}${hidden}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const index = this.all.push({ rules: [...new Set(rules)], hidden }) - 1;
    this.#known.set(key, index);
    return index;
  }
}

function isBetween({ before = ANYTHING, after = ANYTHING }: Omit<Between, "marks">, pair: number): boolean {
  const [first, second] = [Math.floor(pair / neighbours), pair % neighbours];
  return (before & (1 << first)) !== 0 && (after & (1 << second)) !== 0;
}
