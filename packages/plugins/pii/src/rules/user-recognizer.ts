import { PiiError } from "../errors.js";
import { compilePattern, type LinearPattern } from "../patterns/engine.js";
import { functionWalker } from "../patterns/function-walker.js";
import { patternWalker } from "../patterns/pattern-walker.js";
import { widthOf } from "../patterns/width.js";
import { type WindowMatch, windowWalker } from "../patterns/window-walker.js";
import type { CompiledRule, Rule } from "./rule.js";

const defaultScore = 0.85;
/** For patterns that have no upper bound of their own. */
const defaultLength = 256;
/** The longest match that a rule may declare: it is what a stream holds back. */
const longest = 4096;

/** Compiles a user's pattern or function. */
export function compileRecognizer(type: string, rule: Rule): Pick<CompiledRule, "walker" | "streams"> {
  const { recognizer, maxLength, score = defaultScore } = rule;
  if (maxLength !== undefined && !(Number.isInteger(maxLength) && maxLength > 0 && maxLength <= longest)) {
    throw invalid(type, `maxLength is a whole number from 1 to ${longest}.`);
  }
  if (!(score >= 0 && score <= 1)) throw invalid(type, "score is a number from 0 to 1.");
  if (typeof recognizer === "function") {
    return {
      walker: () => functionWalker(type, recognizer, maxLength, score),
      streams: maxLength !== undefined || rule.onStream !== "refuse",
    };
  }
  if (Object.prototype.toString.call(recognizer) !== "[object RegExp]" || recognizer === undefined) {
    throw invalid(type, "recognizer is a RegExp or a function.");
  }
  const pattern = compile(type, recognizer);
  const { min, max } = widthOf(recognizer.source);
  if (min === 0) {
    throw new PiiError(
      "ERR_PII_INVALID_PATTERN",
      `The pattern of "${type}" also matches the empty text. Let it match at least one character.`,
    );
  }
  const bounded = max <= longest;
  return {
    walker: bounded
      ? () => patternWalker(pattern, max, score)
      : () => windowWalker((text) => all(pattern, text, score), maxLength ?? defaultLength),
    streams: true,
  };
}

function compile(type: string, { source, flags }: RegExp): LinearPattern {
  if (/[yv]/.test(flags)) {
    throw new PiiError(
      "ERR_PII_INVALID_PATTERN",
      `The pattern of "${type}" has the flag y or v, which RE2 does not have. Leave it out.`,
    );
  }
  try {
    return compilePattern(source, flags.replaceAll(/[dg]/g, ""));
  } catch (error) {
    const reason =
      error instanceof Error || (typeof error === "object" && error !== null && "message" in error)
        ? error.message
        : "";
    throw new PiiError(
      "ERR_PII_INVALID_PATTERN",
      `RE2 cannot express the pattern of "${type}": ${reason}. Look-around and back-references have no linear-time form; use a function for them.`,
    );
  }
}

function* all(pattern: LinearPattern, text: string, score: number): Generator<WindowMatch> {
  for (let at = 0; at <= text.length; ) {
    const match = pattern.find(text, at);
    if (match === undefined) return;
    if (match.end > match.start) yield { ...match, score };
    at = Math.max(match.end, at + 1);
  }
}

const invalid = (type: string, what: string): PiiError =>
  new PiiError("ERR_PII_INVALID_RULE", `The rule for "${type}" cannot be used: ${what}`);
