import { PiiError } from "../errors.js";
import type { Declared } from "../scan/async-recogniser.js";
import type { WindowMatch } from "./window-walker.js";

/** The usable findings of a user's function, and an error for the rest. */
export interface Answer {
  readonly matches: readonly WindowMatch[];
  readonly wrong?: PiiError | undefined;
}

/** Reads the result of a user's function for `text`. Never throws and always ends, whatever the result is. */
export function readAnswer(declared: Declared, text: string, call: () => unknown): Answer {
  const { type } = declared;
  const matches: WindowMatch[] = [];
  let wrong: PiiError | undefined;
  let count = 0;
  try {
    const result = call();
    if (isPromise(result))
      return { matches, wrong: failed(type, "returned a promise. Declare it async, or set a timeout in its rule") };
    for (const match of result as Iterable<Partial<WindowMatch>>) {
      if (++count > text.length) {
        wrong = failed(type, "returned more matches than the string has characters");
        break;
      }
      const { start = Number.NaN, end = Number.NaN, score = declared.score } = match;
      const problem = problemOf({ start, end, score }, text.length);
      if (problem === undefined) matches.push({ start, end, score });
      else wrong ??= failed(type, problem);
      if (end - start > (declared.maxLength ?? text.length)) wrong ??= failed(type, overlong(declared));
    }
  } catch (cause) {
    wrong ??= failed(type, "threw, or did not return a list of matches", cause);
  }
  return { matches, wrong };
}

function problemOf({ start, end, score }: WindowMatch, length: number): string | undefined {
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end <= start || end > length) {
    return "returned a match that is empty or outside the string";
  }
  return score >= 0 && score <= 1 ? undefined : "returned a score that is not between 0 and 1";
}

const overlong = ({ maxLength }: Declared): string => `returned a match longer than its maxLength of ${maxLength}`;

/** The error of a recogniser that failed, with its name. */
export const failed = (type: string, what: string, cause?: unknown): PiiError =>
  new PiiError("ERR_PII_DETECTION_FAILED", `The recogniser of "${type}" ${what}.`, { types: [type], cause });

/** Returns the matches that count. If there was an error, throws it, or reports that it is ignored. */
export function usable({ matches, wrong }: Answer, ignores: boolean, ignored: () => void): readonly WindowMatch[] {
  if (wrong !== undefined && !ignores) throw wrong;
  if (wrong !== undefined) ignored();
  return matches;
}

/** Tests for a promise, and ignores its rejection, which must not end the process. */
function isPromise(result: unknown): boolean {
  if (typeof result !== "object" || result === null || !("then" in result)) return false;
  Promise.resolve(result).catch(() => {});
  return true;
}
