import { type LinearEngine, type LinearPattern, linearEngine } from "@suite/kit/patterns";
import { RE2JS } from "re2js";
import { invalid } from "../options.js";

let defaultEngine: LinearEngine | undefined;

/**
 * Compiles a pattern for RE2, which takes linear time whatever the pattern and the text are.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION` for one that RE2 cannot express, or that matches the empty text.
 */
export function linearPattern(of: string, { source, flags }: RegExp): LinearPattern {
  if (/[yv]/.test(flags)) throw invalid(`A pattern of ${of} has the flag y or v, which RE2 does not support.`);
  let pattern: LinearPattern;
  try {
    pattern = compiled(source, flags.replaceAll(/[dg]/g, ""));
  } catch {
    throw invalid(`RE2 cannot express a pattern of ${of}: it has no look-around and no back-references.`);
  }
  if (pattern.find("", 0) !== undefined)
    throw invalid(`A pattern of ${of} matches the empty string, and therefore every string.`);
  return pattern;
}

/** Compiles an expression for RE2. Throws for one that RE2 cannot express. */
export function compiled(source: string, flags = ""): LinearPattern {
  defaultEngine ??= linearEngine(RE2JS, packageUrl());
  return defaultEngine.compile(source, flags);
}

/** Returns the URL of this package. A CommonJS bundle has none and uses no native engine. */
function packageUrl(): string | undefined {
  try {
    return import.meta.url;
  } catch {
    return undefined;
  }
}

/** Returns true for a RegExp of any realm. */
export const isRegExp = (value: unknown): value is RegExp =>
  Object.prototype.toString.call(value) === "[object RegExp]";
