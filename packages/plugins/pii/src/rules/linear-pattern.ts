import { PiiError } from "../errors.js";
import { compilePattern, type LinearPattern } from "../patterns/engine.js";

/** Returns true for a RegExp of any realm. */
export const isRegExp = (value: unknown): value is RegExp =>
  Object.prototype.toString.call(value) === "[object RegExp]";

/**
 * Compiles a user's pattern for RE2. Ignores its state and its `g` flag.
 *
 * @param whole matches whole strings only
 */
export function linearPattern(type: string, { source, flags }: RegExp, whole = false): LinearPattern {
  if (/[yv]/.test(flags)) {
    throw new PiiError(
      "ERR_PII_INVALID_PATTERN",
      `The pattern of "${type}" has the flag y or v, which RE2 does not support. Remove it.`,
    );
  }
  try {
    return whole
      ? compilePattern(`^(?:${source})$`, flags.replaceAll(/[dgm]/g, ""))
      : compilePattern(source, flags.replaceAll(/[dg]/g, ""));
  } catch (error) {
    const reason =
      error instanceof Error || (typeof error === "object" && error !== null && "message" in error)
        ? error.message
        : "";
    throw new PiiError(
      "ERR_PII_INVALID_PATTERN",
      `RE2 cannot express the pattern of "${type}": ${reason}. Look-around and back-references cannot be matched in linear time. Use a function.`,
    );
  }
}
