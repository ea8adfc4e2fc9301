import { plainMembers } from "@suite/kit/options";
import { PiiError } from "../errors.js";
import { checkNames, ruleOptions } from "../rules/option-names.js";
import type { PiiOptions, Places, Restore } from "./options.js";

const choices = {
  mode: ["enforce", "monitor"],
  onError: ["closed", "open"],
  onBlock: ["call", "run"],
  onUnscannable: ["allow", "drop", "block"],
} as const satisfies { readonly [option in keyof PiiOptions]: readonly string[] };

const places: { readonly [place in keyof Required<Places>]: true } = {
  input: true,
  output: true,
  toolArguments: true,
  toolResults: true,
  systemPrompt: true,
  embeddings: true,
  retrieval: true,
  memory: true,
  humanInput: true,
  errors: true,
  telemetry: true,
};

const ofPlugin: { readonly [option in keyof Required<PiiOptions>]: true } = {
  hashKey: true,
  name: true,
  apply: true,
  mode: true,
  onError: true,
  onBlock: true,
  onUnscannable: true,
  vault: true,
  restore: true,
};
const pluginOptions = Object.keys(ofPlugin);
const restoreOptions: readonly (keyof Restore)[] = ["output", "tools"];

/** The rule among the options of a plugin for one type. */
export const ruleOf = (options: object): object =>
  Object.fromEntries(Object.entries(plainMembers(options)).filter(([name]) => !Object.hasOwn(ofPlugin, name)));

/** Throws for an unknown option. A plugin for one type also accepts the options of a rule. Returns the options to use. */
export function checkOptionNames(options: PiiOptions, withRule: boolean): PiiOptions {
  const { restore } = options;
  if (restore) checkNames("restore", restore, restoreOptions);
  return checkNames("pii", options, withRule ? [...pluginOptions, ...ruleOptions] : pluginOptions);
}

/** Checks a guard's options, since a misspelt value would silently change what the guard does. */
export function checkGuardOptions(options: PiiOptions): void {
  for (const [name, allowed] of Object.entries(choices)) {
    const value: unknown = options[name as keyof typeof choices];
    if (value === undefined || (allowed as readonly unknown[]).includes(value)) continue;
    throw invalid(`The option ${name} must be ${allowed.map((word) => `"${word}"`).join(" or ")}.`);
  }
}

/** Checks the names of places, since a misspelt one would silently disable a guard. */
export function checkPlaces(applied: Places): void {
  for (const [name, on] of Object.entries(applied)) {
    if (!Object.hasOwn(places, name)) {
      throw invalid(`Unknown place "${name}" in apply. Places: ${Object.keys(places).join(", ")}.`);
    }
    if (on !== undefined && typeof on !== "boolean") throw invalid(`apply.${name} must be true or false.`);
  }
}

const invalid = (message: string): PiiError => new PiiError("ERR_PII_INVALID_RULE", message);
