import type { Plan } from "./plan.js";
import type { Match } from "./recogniser.js";
import { Session } from "./session.js";

/** Returns the matches in a complete text, in order and without overlaps. */
export function matchesIn(plan: Plan, text: string): Match[] {
  const matches: { type: string; start: number; end: number; score: number }[] = [];
  const session = new Session(plan, {
    plain() {},
    found({ rule, start, end, score, silent }) {
      const last = matches.at(-1);
      if (silent && last?.end === start) last.end = end;
      else matches.push({ type: rule.type, start, end, score });
    },
  });
  session.whole(text);
  return matches;
}
