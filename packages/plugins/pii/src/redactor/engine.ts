import type { Match } from "../recognisers/recogniser.js";
import { compileRules } from "../rules/compile.js";
import type { CompiledRule, Rules } from "../rules/rule.js";
import { compilePlan, type Plan } from "../scan/plan.js";
import { Session } from "../scan/session.js";
import type { HashKey } from "../strategies/hash-key.js";
import { placeholder } from "../strategies/redact.js";
import { TextStream } from "../stream/text-stream.js";
import type { Tally } from "./tally.js";

/** What happens where a rule's strategy is `block`: an error, a placeholder, or a placeholder and a note in the tally. */
export interface Treatment {
  readonly onBlock: "throw" | "redact";
  readonly tally?: Tally | undefined;
}

export const throwing: Treatment = { onBlock: "throw" };

/** Compiled rules: what every form of redaction is made from. Holds no state of any text. */
export class Engine {
  readonly plan: Plan;
  /** The rules whose recogniser refuses streams. */
  readonly notStreamable: readonly string[];

  constructor(rules: Rules, hashKey?: HashKey) {
    const compiled = compileRules(rules, hashKey);
    this.plan = compilePlan(compiled);
    this.notStreamable = compiled.filter((rule) => !rule.streams).map((rule) => rule.type);
  }

  stream(treatment: Treatment = throwing): TextStream {
    return new TextStream(this.plan, (rule, start, value, score) => {
      treatment.tally?.add(rule.type, rule.blocks);
      return replacement(rule, start, value, score, treatment);
    });
  }

  redact(text: string, treatment?: Treatment): string {
    const stream = this.stream(treatment);
    const head = stream.push(text);
    return head + stream.end();
  }

  detect(text: string): Match[] {
    const matches: { type: string; start: number; end: number; score: number }[] = [];
    const session = new Session(this.plan, {
      plain() {},
      found({ rule, start, end, score, silent }) {
        const last = matches.at(-1);
        if (silent && last?.end === start) last.end = end;
        else matches.push({ type: rule.type, start, end, score });
      },
    });
    session.push(text);
    session.end();
    return matches;
  }
}

function replacement(rule: CompiledRule, start: number, value: string, score: number, treatment: Treatment): string {
  if (rule.blocks && treatment.onBlock === "redact") return placeholder(rule.type);
  return rule.replace({ type: rule.type, start, end: start + value.length, score, value });
}
