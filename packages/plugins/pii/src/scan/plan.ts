import { Automaton } from "./automaton.js";
import { Breaks } from "./breaks.js";
import type { Recogniser } from "./recogniser.js";
import type { CompiledRule } from "./rule.js";
import type { Site } from "./site.js";
import { type LabelSet, labelSetOf } from "./words.js";

/** The beginnings of hidden forms: a character that reads as another one, `%40`, `\u0040`, `&#64;`, `=40`. */
const hidden = ["z", "%x", "\\y", "&y", "=d"];

/**
 * The beginnings of words that may stand before a value: two letters, one of another script, an option of a command.
 */
const waking = ["aa", "j", "-a"];

/** The plan of a set of rules, compiled once: which recogniser looks at which site. */
export interface Plan {
  readonly rules: readonly CompiledRule[];
  /** Finds the sites of the rules. `undefined` if there are none. */
  readonly automaton: Automaton | undefined;
  /** The probe of each site, by its index. `undefined` for sites of hidden forms, which come first. */
  readonly probes: readonly (Probe | undefined)[];
  /** The probes of sites that need a word before them, one of each rule. */
  readonly conditional: readonly Probe[];
  /** The orders of the rules whose recognisers look at whole stretches. */
  readonly stretched: readonly number[];
  readonly breaks: Breaks;
}

/** The call of a recogniser at a site. */
export interface Probe {
  readonly rule: CompiledRule;
  readonly recogniser: Recogniser;
  /** The recogniser's `look`. Objects of one shape have it, so that it is found without a search. */
  readonly look: Recogniser["look"];
  /** The ASCII characters: 1 for triggers of the recogniser. */
  readonly triggers: Uint8Array;
  /** The recogniser's `reach`. */
  readonly reach: number;
  /** The recogniser's `begin`. */
  readonly begin: Recogniser["begin"];
  /** The rule's `order`. */
  readonly order: number;
  /** The labels of words that raise the score of a match. */
  readonly labels: LabelSet;
  /** True if a doubtful match of its recogniser counts only after such a word. */
  readonly needsWord: boolean;
  /** The labels of the words that this site needs before it. 0 if the site is always used. */
  readonly required: LabelSet;
}

/** The minimum threshold that no doubtful match reaches without a word. */
const leastSure = 0.5;

/** Automata by their set of sites. All redactors with the same types share the states that were computed. */
const automata = new Map<string, Automaton>();
const most = 32;
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

export function compilePlan(rules: readonly CompiledRule[]): Plan {
  const triggered = rules.flatMap((rule) => (rule.recogniser ? [{ rule, recogniser: rule.recogniser }] : []));
  const breaks = new Breaks(triggered.map(({ recogniser }) => recogniser));
  if (triggered.length === 0)
    return { rules, automaton: undefined, probes: [], conditional: [], stretched: [], breaks };
  const entries = triggered.flatMap(({ rule, recogniser }) => {
    const triggers = Uint8Array.from(ascii, (character) => (recogniser.triggers.includes(character) ? 1 : 0));
    const labels = labelSetOf(
      Object.entries(recogniser.labels ?? {}).flatMap(([label, weight]) => (weight > 0 ? [label] : [])),
    );
    const needsWord = rule.threshold >= leastSure && rule.context === undefined;
    const { look, reach = 0, begin, doubtful } = recogniser;
    const probe: Probe = {
      rule,
      recogniser,
      look,
      triggers,
      reach,
      begin,
      order: rule.order,
      labels,
      needsWord,
      required: 0,
    };
    const all = recogniser.sites ?? sitesOf(recogniser.triggers);
    if (doubtful === undefined) return all.map((site) => ({ probe, site }));
    // If no words are needed, only the sites that every match contains are used.
    if (!needsWord) return doubtful.sites.map((site) => ({ probe, site }));
    const doubtfulProbe: Probe = { ...probe, required: doubtful.labels };
    return [
      ...all.map((site) => ({ probe, site })),
      ...doubtful.sites.filter((site) => !all.includes(site)).map((site) => ({ probe: doubtfulProbe, site })),
    ];
  });
  const probes = [...hidden.map(() => undefined), ...entries.map(({ probe }) => probe)];
  const sites = [...hidden, ...entries.map(({ site }) => site)];
  const conditional = [...new Set(probes.filter((one) => one !== undefined && one.required !== 0))] as readonly Probe[];
  const stretched = [...new Set(entries.flatMap(({ probe }) => (probe.recogniser.inStretches ? [probe.order] : [])))];
  return { rules, automaton: automatonOf(sites, probes), probes, conditional, stretched, breaks };
}

/** Each of the characters; letters are one site, and so are digits. */
const sitesOf = (triggers: string): readonly string[] => [
  ...new Set(triggers.replaceAll(/[A-Za-z]/g, "a").replaceAll(/\d/g, "d")),
];

function automatonOf(sites: readonly Site[], probes: readonly (Probe | undefined)[]): Automaton {
  const placesOf = (test: (one: Probe) => boolean): readonly number[] =>
    probes.flatMap((one, place) => (one !== undefined && test(one) ? [place] : []));
  const doubtful = placesOf(({ required }) => required !== 0);
  const stretched = placesOf(({ recogniser }) => recogniser.inStretches === true);
  const key = [doubtful, stretched, ...sites].join("\n");
  const known = automata.get(key);
  if (known !== undefined) return known;
  const wakes = doubtful.length > 0 ? waking : [];
  const automaton = new Automaton([...sites, ...wakes], {
    doubtful,
    waking: wakes.map((_, index) => sites.length + index),
    stretched,
  });
  if (automata.size < most) automata.set(key, automaton);
  return automaton;
}
