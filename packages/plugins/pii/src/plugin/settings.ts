import type { Rule, Rules } from "../rules/rule.js";
import type { PiiOptions } from "./options.js";

/** The options of a plugin that may be told, for who records which were in force: no value of a list, no pattern, no key. */
export function settingsOf(rules: Rules, options: PiiOptions): Readonly<Record<string, unknown>> {
  const { mode = "enforce", onError = "closed", onBlock = "call", onUnscannable = "allow", apply, restore } = options;
  return {
    rules: Object.fromEntries(Object.entries(rules).map(([type, rule]) => [type, ruleSettings(rule)])),
    mode,
    onError,
    onBlock,
    onUnscannable,
    ...(apply && { apply }),
    ...(restore && { restore }),
    ...(options.vault && { vault: "own" }),
  };
}

function ruleSettings(rule: Rules[string]): unknown {
  const { strategy, recognizer, allow, deny, threshold, regions, onRecognizerError } = fullRule(rule);
  return {
    strategy: typeof strategy === "function" ? "own" : strategy,
    ...(recognizer && { recognizer: "own" }),
    ...(allow && { allow: allow.length }),
    ...(deny && { deny: deny.length }),
    ...(threshold !== undefined && { threshold }),
    ...(regions && { regions }),
    ...(onRecognizerError && { onRecognizerError }),
  };
}

const fullRule = (rule: Rules[string]): Rule => (typeof rule === "object" ? rule : { strategy: rule });
