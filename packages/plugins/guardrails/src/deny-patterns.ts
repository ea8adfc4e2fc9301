import type { Plugin } from "@suite/core";
import { isObject } from "@suite/kit";
import { type Check, common, oneOf } from "@suite/kit/options";
import { checkOptions } from "./options.js";
import { isRegExp, linearPattern } from "./patterns/engine.js";
import { type PlacedOptions, placedChecks, textGuardPlugin } from "./texts/in-places.js";

/** The options of `denyPatterns`. */
export interface DenyPatternsOptions extends PlacedOptions {
  /** Patterns by the name used in reports. They run in RE2: no look-around, no back-references, always linear time. */
  readonly patterns: Readonly<Record<string, RegExp>>;
}

const patterns: Check = (value) =>
  isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isRegExp)
    ? undefined
    : "a non-empty object of names and expressions";

/**
 * Denies strings that match a pattern. With `redact`, matches are removed.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION`
 * @example
 * ```ts
 * denyPatterns({ patterns: { ticket: /\bTCK-\d{6}\b/ }, places: ["output"], action: "redact" });
 * ```
 */
export function denyPatterns(options: DenyPatternsOptions): Plugin {
  const checks = { ...common, ...placedChecks, patterns, action: oneOf("block", "redact", "flag") };
  options = checkOptions("denyPatterns", options, checks, ["patterns"]);
  const compiled = Object.entries(options.patterns).map(
    ([name, pattern]) => [name, linearPattern("denyPatterns()", pattern)] as const,
  );
  return textGuardPlugin("denyPatterns", options, (text) => {
    const findings: Record<string, number> = Object.create(null);
    let clean = text;
    for (const [name, pattern] of compiled) {
      let [rest, at, count] = ["", 0, 0];
      for (let from = 0; from <= clean.length; ) {
        const match = pattern.find(clean, from);
        if (match === undefined) break;
        if (match.end > match.start) {
          rest += `${clean.slice(at, match.start)}[removed: ${name}]`;
          at = match.end;
          count++;
        }
        from = Math.max(match.end, from + 1);
      }
      if (count > 0) findings[name] = count;
      if (count > 0) clean = rest + clean.slice(at);
    }
    return clean === text ? undefined : { findings, clean };
  });
}
