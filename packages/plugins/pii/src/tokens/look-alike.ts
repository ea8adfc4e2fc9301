import type { Recogniser } from "../scan/recogniser.js";
import type { CompiledRule } from "../scan/rule.js";
import { coreOf, labelStart, lookAlikeLabel, open, type TokenForm } from "./form.js";

/** A score above every one that a rule may have. */
const surest = 2;

/**
 * Creates the rule for strings that look like tokens, including hidden forms. It has the highest priority, so that no
 * other rule splits a token.
 */
export function lookAlikeRule(form: TokenForm, order: number): CompiledRule {
  return {
    type: lookAlikeLabel,
    order,
    blocks: false,
    tokenizes: false,
    threshold: 0,
    weighed: false,
    recogniser: lookAlikeRecogniser(form),
    streams: true,
    replace: ({ value }) => value,
  };
}

const lookAlikeRecogniser = (form: TokenForm): Recogniser => ({
  type: lookAlikeLabel,
  triggers: "_",
  look(text, at, from, to, report) {
    for (const label of form.labels) {
      const start = labelStart(label, text, at);
      const core = start < from ? undefined : coreOf(label, text, start);
      if (core === undefined || core === open || core.end > to) continue;
      report(start, core.end, surest);
      return core.end;
    }
    return at + 1;
  },
  mask: (value) => value,
});
