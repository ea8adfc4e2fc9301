export { randomIntegers as seeded } from "../../../../../scripts/random.mjs";

/**
 * Places to cut a text, up to eight, in order; also inside surrogate pairs.
 *
 * @param {string} text
 * @param {(below: number) => number} random
 */
export const cuts = (text, random) =>
  Array.from({ length: random(9) }, () => random(text.length + 1)).sort((a, b) => a - b);

/** @param {string} text @param {readonly number[]} at */
export const cut = (text, at) => [...at, text.length].map((to, index) => text.slice(at[index - 1] ?? 0, to));

/** One UTF-16 unit each. @param {string} text */
export const units = (text) => Array.from({ length: text.length }, (_, index) => text.charAt(index));

/**
 * The output of a stream for these pieces, piece by piece.
 *
 * @param {import("@suite/pii").RedactorStream} stream
 * @param {readonly string[]} pieces
 */
export const given = (stream, pieces) => [...pieces.map((piece) => stream.push(piece)), stream.end()];
