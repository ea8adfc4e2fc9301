import { TestkitError } from "../errors.js";

/** The exact pieces, a number of characters each, one character each, or a function that returns the pieces. */
export type Cutting = readonly string[] | number | "characters" | ((text: string) => readonly string[]);

/**
 * Splits a string into the pieces that a stream sends. Characters are code points: a surrogate pair is never split,
 * except by explicit pieces or a function.
 *
 * @throws TestkitError `ERR_TESTKIT_INVALID_ANSWER` if the pieces do not add up to the string.
 */
export function cut(text: string, cutting: Cutting | undefined): readonly string[] {
  if (typeof cutting === "number" || cutting === "characters") {
    return bySize(text, cutting === "characters" ? 1 : cutting);
  }
  if (cutting === undefined) return text === "" ? [] : [text];
  const pieces = typeof cutting === "function" ? cutting(text) : cutting;
  if (pieces.join("") !== text) {
    throw new TestkitError(
      "ERR_TESTKIT_INVALID_ANSWER",
      "The pieces of `chunks` do not add up to the original string.",
    );
  }
  return pieces;
}

function bySize(text: string, size: number): readonly string[] {
  if (!Number.isInteger(size) || size < 1) {
    throw new TestkitError(
      "ERR_TESTKIT_INVALID_ANSWER",
      `\`chunks\` must be a list or an integer of at least 1, not ${size}.`,
    );
  }
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let i = 0; i < characters.length; i += size) pieces.push(characters.slice(i, i + size).join(""));
  return pieces;
}
