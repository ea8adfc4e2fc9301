import type { CompiledRule } from "../rules/rule.js";
import { Breaks } from "./breaks.js";
import { HIDDEN, kinds } from "./characters.js";

/** Characters with which hidden forms begin: `%40`, `\u0040`, `&#64;`, `=40`. */
const escapes = "%\\&=";

/** What a set of rules looks for, compiled once: which character makes whom look closer. */
export interface Plan {
  readonly rules: readonly CompiledRule[];
  /** From each UTF-16 unit to an index into `classes`; 0: nobody cares. */
  readonly table: Uint8Array;
  readonly classes: readonly TriggerClass[];
  readonly breaks: Breaks;
}

interface TriggerClass {
  readonly rules: readonly CompiledRule[];
  /** The stretch around it is read a second time, decoded. */
  readonly hidden: boolean;
}

export function compilePlan(rules: readonly CompiledRule[]): Plan {
  const triggered = rules.filter((rule) => rule.recogniser !== undefined);
  const breaks = new Breaks(triggered.flatMap(({ recogniser }) => recogniser ?? []));
  const classes: TriggerClass[] = [{ rules: [], hidden: false }];
  const table = new Uint8Array(65536);
  if (triggered.length === 0) return { rules, table, classes, breaks };

  const known = new Map<string, number>();
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code);
    const interested = triggered.filter((rule) => rule.recogniser?.triggers.includes(character));
    const hidden = escapes.includes(character);
    if (interested.length === 0 && !hidden) continue;
    const key = `${interested.map((rule) => rule.order).join()}${hidden}`;
    const index = known.get(key) ?? classes.push({ rules: interested, hidden }) - 1;
    known.set(key, index);
    table[code] = index;
  }
  const hidden = classes.push({ rules: [], hidden: true }) - 1;
  for (let code = 128; code < 65536; code++) if (((kinds[code] ?? 0) & HIDDEN) !== 0) table[code] = hidden;
  return { rules, table, classes, breaks };
}
