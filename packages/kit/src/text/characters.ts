/**
 * Ranges of invisible characters: Unicode's Default_Ignorable_Code_Point (zero-width characters, joiners, direction
 * marks, fillers, variation selectors, tags) and the marks of interlinear annotations.
 */
const ranges: readonly (readonly [first: number, last: number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** The first code point of each range and the code point after its last, alternating. */
const bounds = Uint32Array.from(ranges.flatMap(([first, last]) => [first, last + 1]));

/** True for the code point of an invisible character. */
export function isInvisible(code: number): boolean {
  if (code < 0xad) return false;
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] as number) <= code) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

const escaped = (code: number): string => `\\u{${code.toString(16)}}`;
const invisible = ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join("");

/**
 * Control characters except tab and line feed, line and paragraph separators, the Braille blank, and invisible
 * characters. A variation selector after an emoji, which selects its coloured form, is kept.
 */
const unseen = new RegExp(
  `(?<=\\p{Extended_Pictographic})\\ufe0f|([\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u2800${invisible}])`,
  "gu",
);

/** Removes characters that a person does not see from untrusted text for a model. */
export const withoutUnseen = (text: string): string =>
  text.replaceAll(unseen, (character, removed: string | undefined) => (removed === undefined ? character : ""));
