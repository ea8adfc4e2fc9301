import { PiiError } from "../errors.js";
import { readAnswer, usable } from "../patterns/answer.js";
import type { LinearPattern } from "../patterns/engine.js";
import { functionWalker } from "../patterns/function-walker.js";
import { patternWalker } from "../patterns/pattern-walker.js";
import { widthOf } from "../patterns/width.js";
import { type WindowMatch, windowWalker } from "../patterns/window-walker.js";
import type { AsyncRecogniser, Declared } from "../scan/async-recogniser.js";
import type { RecognizerFunction } from "../scan/recognizer-function.js";
import type { CompiledRule } from "../scan/rule.js";
import { invalidRule } from "./invalid.js";
import { isRegExp, linearPattern } from "./linear-pattern.js";
import type { Rule } from "./rule.js";

const defaultScore = 0.85;
const defaultTimeout = 5000;
/** The maximum delay of a timer, in milliseconds. */
const longestTimeout = 2 ** 31 - 1;
/** The maximum match length of patterns without an upper bound. */
const defaultLength = 256;
/** The greatest `maxLength` of a rule. A stream holds back that much text. */
const longest = 4096;

type Compiled = Pick<CompiledRule, "walker" | "streams" | "async">;

/** Compiles a user's pattern or function. */
export function compileRecognizer(type: string, rule: Rule): Compiled {
  const { recognizer, maxLength, score = defaultScore, deny } = rule;
  if (maxLength !== undefined && !(Number.isInteger(maxLength) && maxLength > 0 && maxLength <= longest)) {
    throw invalidRule(type, `maxLength must be an integer from 1 to ${longest}.`);
  }
  if (!(score >= 0 && score <= 1)) throw invalidRule(type, "score must be a number from 0 to 1.");
  if (typeof recognizer === "function") return compileFunction(rule, recognizer, { type, maxLength, score });
  if (rule.timeout !== undefined) throw invalidRule(type, "timeout can only be set for asynchronous functions.");
  if (recognizer === undefined && deny !== undefined) return { streams: true };
  if (!isRegExp(recognizer)) throw invalidRule(type, "recognizer must be a RegExp or a function.");
  const pattern = linearPattern(type, recognizer);
  const { min, max } = widthOf(recognizer.source);
  if (min === 0) {
    throw new PiiError(
      "ERR_PII_INVALID_PATTERN",
      `The pattern of "${type}" also matches the empty string. Make it match at least one character.`,
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

function compileFunction(rule: Rule, find: RecognizerFunction, declared: Declared): Compiled {
  const { type, maxLength } = declared;
  const { timeout, onRecognizerError = "fail" } = rule;
  if (timeout !== undefined && !(timeout > 0 && timeout <= longestTimeout)) {
    throw invalidRule(type, "timeout must be a number of milliseconds greater than 0 and less than 2^31.");
  }
  if (onRecognizerError !== "fail" && onRecognizerError !== "ignore") {
    throw invalidRule(type, 'onRecognizerError is "fail" or "ignore".');
  }
  const ignores = onRecognizerError === "ignore";
  const streams = maxLength !== undefined || rule.onStream !== "refuse";
  if (timeout === undefined && Object.prototype.toString.call(find) !== "[object AsyncFunction]") {
    const findIn = (text: string, ignored: () => void): readonly WindowMatch[] =>
      usable(
        readAnswer(declared, text, () => find(text, { signal: never() })),
        ignores,
        ignored,
      );
    return { walker: (ignored) => functionWalker((text) => findIn(text, ignored), maxLength), streams };
  }
  const async: AsyncRecogniser = { ...declared, find, timeout: timeout ?? defaultTimeout, ignores };
  const walker = (): never => {
    throw new PiiError(
      "ERR_PII_NEEDS_ASYNC",
      `The recogniser of "${type}" is asynchronous. Use redactAsync, detectAsync, valueAsync or streamAsync.`,
      { types: [type] },
    );
  };
  return { walker, streams, async };
}

let signal: AbortSignal | undefined;

/** Returns a signal that never aborts. */
function never(): AbortSignal {
  signal ??= new AbortController().signal;
  return signal;
}

function* all(pattern: LinearPattern, text: string, score: number): Generator<WindowMatch> {
  for (let at = 0; at <= text.length; ) {
    const match = pattern.find(text, at);
    if (match === undefined) return;
    if (match.end > match.start) yield { ...match, score };
    at = Math.max(match.end, at + 1);
  }
}
