import { plainMembers } from "@suite/kit/options";
import { PiiError } from "../errors.js";
import { builtInTypes, recogniserOf } from "../recognisers/registry.js";
import type { CompiledRule, Finding } from "../scan/rule.js";
import { compileBuiltIn } from "./built-in.js";
import { compileLists } from "./lists.js";
import { checkNames, ruleOptions } from "./option-names.js";
import type { Rule, Rules, Strategy } from "./rule.js";
import type { Replace } from "./strategies/context.js";
import { type HashKey, keyBytes } from "./strategies/hash-key.js";
import { compileStrategy, isStrategyName, strategyNames } from "./strategies/strategy.js";
import { compileRecognizer } from "./user-recognizer.js";
import { compileWeights } from "./weights.js";

/** The minimum length of a hash key, in bytes. */
const shortestKey = 16;

/**
 * Checks and compiles rules, in order.
 * @throws `ERR_PII_INVALID_RULE`, `ERR_PII_INVALID_PATTERN`
 */
export function compileRules(rules: Rules, hashKey?: HashKey): readonly CompiledRule[] {
  if (typeof rules !== "object" || rules === null || Array.isArray(rules)) {
    throw invalid('Rules are an object from types to strategies, such as { email: "redact" }.');
  }
  checkKey(hashKey);
  const entries = Object.entries(plainMembers(rules));
  if (entries.length === 0) throw invalid('There is no rule. Name at least one type, such as { email: "redact" }.');
  const compiled = entries.map(([type, rule], order) => compileRule(type, inFull(type, rule), order, hashKey));
  const names = new Map<unknown, string>();
  for (const { type, recogniser } of compiled) {
    const other = recogniser && names.get(recogniser);
    if (other !== undefined) throw invalid(`"${type}" and "${other}" are two names of one type. Remove one of them.`);
    names.set(recogniser, type);
  }
  return compiled;
}

function inFull(type: string, rule: Strategy | Rule): Rule {
  const full = typeof rule === "object" && rule !== null ? rule : { strategy: rule };
  const { strategy } = full;
  if (typeof strategy === "function" || (typeof strategy === "string" && isStrategyName(strategy))) return full;
  const name = typeof strategy === "string" ? `"${strategy}"` : "none of these";
  throw invalid(`The strategy of "${type}" is ${name}. Use ${strategyNames.join(", ")}, or a function.`);
}

function compileRule(type: string, rule: Rule, order: number, hashKey: HashKey | undefined): CompiledRule {
  if (!/^[A-Za-z]\w{0,63}$/.test(type)) {
    throw invalid(
      `The type of rule ${order + 1} is invalid. Use up to 64 letters, digits and underscores, beginning with a letter.`,
    );
  }
  const builtIn = rule.recognizer === undefined ? recogniserOf(type) : undefined;
  if (rule.recognizer === undefined && builtIn === undefined && rule.deny === undefined) {
    throw invalid(
      `"${type}" is not a built-in type (${builtInTypes.join(", ")}). Add a recognizer (a RegExp or a function) or a list of values (deny) to its rule.`,
    );
  }
  rule = checkNames(`The rule for "${type}"`, rule, ruleOptions);
  const compiled = builtIn ? compileBuiltIn(type, rule, builtIn) : compileRecognizer(type, rule);
  const { mask, normal } = ("recogniser" in compiled && compiled.recogniser) || {};
  const replace = compileStrategy(rule.strategy, { type, hashKey, mask, normal });
  return {
    type,
    order,
    blocks: rule.strategy === "block",
    tokenizes: rule.strategy === "tokenize",
    ...compileWeights(type, rule, builtIn),
    ...compileLists(type, rule, builtIn),
    ...compiled,
    replace: typeof rule.strategy === "function" ? guarded(type, replace) : replace,
  };
}

/** Wraps a user's strategy function. If it throws or does not return a string, the error names the rule. */
function guarded(type: string, replace: Replace): Replace {
  return (finding: Finding) => {
    let replacement: unknown;
    let cause: unknown;
    try {
      replacement = replace(finding);
    } catch (error) {
      cause = error;
    }
    if (typeof replacement === "string") return replacement;
    const what = cause === undefined ? "did not return a string" : "threw";
    throw new PiiError("ERR_PII_DETECTION_FAILED", `The strategy function of "${type}" ${what}.`, {
      types: [type],
      cause,
    });
  };
}

function checkKey(hashKey: HashKey | undefined): void {
  if (hashKey === undefined) return;
  const key = typeof hashKey === "object" && "key" in hashKey ? hashKey.key : hashKey;
  if ((typeof key !== "string" && !(key instanceof Uint8Array)) || keyBytes(key).length < shortestKey) {
    throw invalid(`hashKey must be a string, bytes, or { id, key }, with a key of at least ${shortestKey} bytes.`);
  }
}

const invalid = (message: string): PiiError => new PiiError("ERR_PII_INVALID_RULE", message);
