import { DenyList } from "../patterns/deny-list.js";
import { denyWalker } from "../patterns/deny-walker.js";
import type { LinearPattern } from "../patterns/engine.js";
import type { Recogniser, Walker } from "../scan/recogniser.js";
import type { CompiledRule } from "../scan/rule.js";
import { invalidRule } from "./invalid.js";
import { isRegExp, linearPattern } from "./linear-pattern.js";
import type { Rule } from "./rule.js";

const mostAllowed = 10_000;
/** Each pattern runs on each value. */
const mostAllowedPatterns = 100;
const mostDenied = 100_000;
const longestDenied = 256;

/** Compiles the lists of a rule: values that are never of the type, and values that always are. */
export function compileLists(
  type: string,
  { allow, deny, recognizer }: Rule,
  builtIn: Recogniser | undefined,
): Pick<CompiledRule, "allowed" | "denied"> {
  const folds = builtIn ? builtIn.anyCase === true : isRegExp(recognizer) && recognizer.flags.includes("i");
  return {
    ...(allow !== undefined && { allowed: compileAllowed(type, allow, folds) }),
    ...(deny !== undefined && { denied: compileDenied(type, deny, allow) }),
  };
}

function compileAllowed(type: string, allow: Rule["allow"], folds: boolean): (value: string) => boolean {
  if (!Array.isArray(allow) || allow.length > mostAllowed) {
    throw invalidRule(type, `allow must be a list of at most ${mostAllowed} values and patterns.`);
  }
  const fold = (value: string): string => (folds ? value.toLowerCase() : value);
  const values = new Set<string>();
  const patterns: LinearPattern[] = [];
  for (const one of allow as unknown[]) {
    if (typeof one === "string") values.add(fold(one));
    else if (isRegExp(one)) patterns.push(linearPattern(type, one, true));
    else throw invalidRule(type, "allow contains a value that is neither a string nor a RegExp.");
  }
  if (patterns.length > mostAllowedPatterns) {
    throw invalidRule(type, `allow contains more than ${mostAllowedPatterns} patterns. Join some of them with |.`);
  }
  return (value) => values.has(fold(value)) || patterns.some((pattern) => pattern.find(value, 0) !== undefined);
}

function compileDenied(type: string, deny: Rule["deny"], allow: Rule["allow"] = []): () => Walker {
  if (!Array.isArray(deny) || deny.length === 0 || deny.length > mostDenied || !deny.every(isValue)) {
    throw invalidRule(
      type,
      `deny must be a list of 1 to ${mostDenied} values with 1 to ${longestDenied} UTF-16 units, not only white space.`,
    );
  }
  const allowed = new Set<unknown>(allow);
  if (deny.some((value) => allowed.has(value))) throw invalidRule(type, "a value is both in allow and in deny.");
  const list = new DenyList(deny);
  return () => denyWalker(list);
}

const isValue = (value: unknown): boolean =>
  typeof value === "string" && value.length <= longestDenied && value.trim() !== "";
