import type { ReplaceValue } from "@suite/core/contract";
import { blocked, expectText } from "../errors.js";
import { compileRules } from "../rules/compile.js";
import type { Rules } from "../rules/rule.js";
import type { HashKey } from "../rules/strategies/hash-key.js";
import { placeholder } from "../rules/strategies/redact.js";
import { matchesIn } from "../scan/matches.js";
import { compilePlan, type Plan } from "../scan/plan.js";
import type { Match } from "../scan/recogniser.js";
import type { CompiledRule } from "../scan/rule.js";
import { labelOf, TokenForm } from "../tokens/form.js";
import { lookAlikeRule } from "../tokens/look-alike.js";
import type { TokenView } from "../tokens/session-tokens.js";
import { TokenReader } from "../tokens/token-reader.js";
import { foundInShort, isCleanForWalkers } from "./clean.js";
import { type Substitute, TextStream } from "./stream/text-stream.js";
import type { Tally } from "./tally.js";

/**
 * The treatment of a text. `onBlock` is the effect of the strategy `block`: an error, a placeholder, or a placeholder
 * and a note in the tally.
 */
export interface Treatment {
  readonly onBlock: "throw" | "redact";
  readonly tally?: Tally | undefined;
  /** Creates tokens. Without it, `tokenize` redacts. */
  readonly tokens?: TokenView | undefined;
  /** Returns the replacement of a value, regardless of its rule. */
  readonly replace?: ReplaceValue | undefined;
}

/** Finds the tokens of these rules. */
export interface TokenRules {
  readonly form: TokenForm;
  readonly reader: TokenReader;
  readonly lookAlike: CompiledRule;
  /** The plan of all rules, and the one for strings that look like a token. */
  readonly plan: Plan;
}

export const throwing: Treatment = { onBlock: "throw" };

/** The engine, of compiled rules: what every form of redaction is made from. Holds no state of any text. */
export class Engine {
  readonly plan: Plan;
  /** The rules whose recogniser refuses streams. */
  readonly notStreamable: readonly string[];
  /** The rules with an async recogniser: see `async/engine.ts`. */
  readonly async: readonly string[];
  /** The rules for tokens, if a rule uses the strategy `tokenize`. */
  readonly tokens: TokenRules | undefined;

  constructor(plan: Plan, tokens?: TokenRules) {
    this.plan = plan;
    this.notStreamable = plan.rules.filter((rule) => !rule.streams).map((rule) => rule.type);
    this.async = plan.rules.filter((rule) => rule.async !== undefined).map((rule) => rule.type);
    this.tokens = tokens;
  }

  static of(rules: Rules, hashKey?: HashKey): Engine {
    const compiled = compileRules(rules, hashKey);
    return new Engine(compilePlan(compiled), tokenRules(compiled));
  }

  /** The engine with other walkers for some rules, or without some of those that have nothing else. */
  with(change: (rule: CompiledRule) => CompiledRule | undefined): Engine {
    const changed = (plan: Plan): Plan => ({ ...plan, rules: plan.rules.flatMap((rule) => change(rule) ?? []) });
    return new Engine(changed(this.plan), this.tokens && { ...this.tokens, plan: changed(this.tokens.plan) });
  }

  /** @param before The text before this one, if it is part of something larger. */
  stream(treatment: Treatment = throwing, before?: string): TextStream {
    const { tokens } = treatment;
    const substitute: Substitute = (rule, start, value, score, whole, at) => {
      if (tokens && rule === this.tokens?.lookAlike) return tokens.lookAlike(value);
      treatment.tally?.add(rule.type, rule.blocks);
      if (treatment.replace) return treatment.replace(value, rule.type);
      if (tokens && rule.tokenizes && whole) return tokens.token(rule.type, value);
      if (rule.blocks) {
        if (treatment.onBlock === "redact") return placeholder(rule.type);
        throw blocked([rule.type], [], at && { line: at.line, column: at.column });
      }
      return rule.replace({ type: rule.type, start, end: start + value.length, score, value });
    };
    return new TextStream(this.#planOf(treatment), substitute, before, ({ type }) => treatment.tally?.ignore(type));
  }

  redact(text: string, treatment: Treatment = throwing, before?: string): string {
    expectText(text, "redact()");
    const plan = this.#planOf(treatment);
    const found = this.async.length === 0 ? foundInShort(plan, text, before) : undefined;
    if (found?.length === 0 && isCleanForWalkers(plan, text)) return text;
    return this.stream(treatment, before).complete(text, found);
  }

  detect(text: string): Match[] {
    expectText(text, "detect()");
    return matchesIn(this.plan, text);
  }

  #planOf({ tokens }: Treatment): Plan {
    return tokens && this.tokens ? this.tokens.plan : this.plan;
  }
}

function tokenRules(compiled: readonly CompiledRule[]): TokenRules | undefined {
  const types = compiled.filter((rule) => rule.tokenizes).map(({ type }) => type);
  if (types.length === 0) return undefined;
  const form = new TokenForm(types.map(labelOf));
  const lookAlike = lookAlikeRule(form, compiled.length);
  return { form, reader: new TokenReader(form), lookAlike, plan: compilePlan([...compiled, lookAlike]) };
}
