import type { CompiledRule } from "../rules/rule.js";
import { Automaton } from "./automaton.js";
import { Breaks } from "./breaks.js";

/** What hidden forms begin with: a character that reads as another one, `%40`, `\u0040`, `&#64;`, `=40`. */
const hidden = ["z", "%x", "\\y", "&y", "=d"];

/** What a set of rules looks for, compiled once: who looks closer where. */
export interface Plan {
  readonly rules: readonly CompiledRule[];
  /** Finds the sites of the rules; undefined where there are none. */
  readonly automaton: Automaton | undefined;
  /** Who asked for a site, by its index; undefined for those of hidden forms, which come first. */
  readonly asking: readonly (CompiledRule | undefined)[];
  readonly breaks: Breaks;
}

/** Automata of sets of sites: what they have learnt serves every redactor with the same types. */
const automata = new Map<string, Automaton>();
const most = 32;

export function compilePlan(rules: readonly CompiledRule[]): Plan {
  const triggered = rules.flatMap((rule) => (rule.recogniser ? [{ rule, recogniser: rule.recogniser }] : []));
  const breaks = new Breaks(triggered.map(({ recogniser }) => recogniser));
  if (triggered.length === 0) return { rules, automaton: undefined, asking: [], breaks };
  const asked = triggered.flatMap(({ rule, recogniser: { triggers, sites = sitesOf(triggers) } }) =>
    sites.map((site) => ({ rule, site })),
  );
  const sites = [...hidden, ...asked.map(({ site }) => site)];
  const asking = [...hidden.map(() => undefined), ...asked.map(({ rule }) => rule)];
  return { rules, automaton: automatonOf(sites), asking, breaks };
}

/** Each of the characters; letters are one site, and so are digits. */
const sitesOf = (triggers: string): readonly string[] => [
  ...new Set(triggers.replaceAll(/[A-Za-z]/g, "a").replaceAll(/\d/g, "d")),
];

function automatonOf(sites: readonly string[]): Automaton {
  const key = sites.join("\n");
  const known = automata.get(key);
  if (known !== undefined) return known;
  const automaton = new Automaton(sites);
  if (automata.size < most) automata.set(key, automaton);
  return automaton;
}
