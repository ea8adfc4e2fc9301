import { memberNames, plainMembers } from "@suite/kit/options";
import { PiiError } from "../errors.js";
import type { Rule } from "./rule.js";

const ofRule: { readonly [option in keyof Required<Rule>]: true } = {
  strategy: true,
  recognizer: true,
  timeout: true,
  onRecognizerError: true,
  allow: true,
  deny: true,
  maxLength: true,
  onStream: true,
  score: true,
  threshold: true,
  context: true,
  regions: true,
};

/** The names of a rule's options. */
export const ruleOptions: readonly string[] = Object.keys(ofRule);

/**
 * Checks the names of options. Throws for an unknown name, because a guard without the intended option would behave
 * differently. Returns the options as a plain object, with methods of a class bound to its instance.
 */
export function checkNames<O extends object>(where: string, options: O, known: readonly string[]): O {
  const unknown = memberNames(options).find((name) => !known.includes(name));
  if (unknown === undefined) return plainMembers(options);
  throw new PiiError("ERR_PII_INVALID_RULE", `${where} has no option "${unknown}". Options are ${known.join(", ")}.`);
}
