import { isRecord } from "@suite/kit";
import type { Rule, Rules } from "../rules/rule.js";
import { UsageError } from "./usage.js";

/**
 * Rules as JSON has them: a pattern is `{ "pattern": "TCK-\\d{6}", "flags": "i" }`, as a recogniser, or among the
 * values of `allow`. It is compiled for RE2 like every other one, and never run by anything else.
 *
 * @throws UsageError
 */
export function rulesFromJson(json: unknown): Rules {
  // A value that is not an object is rejected when the rules are compiled.
  if (!isRecord(json)) return json as Rules;
  return Object.fromEntries(Object.entries(json).map(([type, rule]) => [type, ruleFrom(type, rule)])) as Rules;
}

function ruleFrom(type: string, rule: unknown): unknown {
  if (!isRecord(rule)) return rule;
  const { recognizer, allow } = rule;
  const pattern = (value: unknown): unknown => (isRecord(value) ? patternOf(type, value) : value);
  return {
    ...rule,
    ...(recognizer !== undefined && { recognizer: pattern(recognizer) }),
    ...(allow !== undefined && { allow: Array.isArray(allow) ? allow.map(pattern) : allow }),
  } satisfies { readonly [option in keyof Rule]?: unknown };
}

function patternOf(type: string, { pattern, flags = "", ...others }: Readonly<Record<string, unknown>>): RegExp {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong(type, `has an unknown option "${unknown}". Options: pattern, flags`);
  if (typeof pattern !== "string" || typeof flags !== "string") throw wrong(type, "is no text");
  try {
    return new RegExp(pattern, flags);
  } catch {
    throw wrong(type, "is not valid in both RE2 and JavaScript");
  }
}

const wrong = (type: string, what: string): UsageError => new UsageError(`the pattern of "${type}" ${what}`);
