/**
 * Returns one spelling for all variants of a value. Folds compatibility forms (NFKC) and case, and removes white space.
 * In a value without letters it also removes hyphens, parentheses and slashes. So `Jane@X.com` is `jane@x.com`,
 * `4111-1111 1111 1111` is `4111111111111111`, `(030) 12-34` is `0301234`. Dots, colons and signs stay: without them
 * two network addresses would be equal. Nothing is added: `030…` and `+49 30…` are two values.
 */
export function spelling(value: string): string {
  const folded = value.normalize("NFKC").toLowerCase().normalize("NFKC").replace(spaces, "");
  return letter.test(folded) ? folded : folded.replace(separators, "");
}

/** White space and invisible characters: both are common in copied text. */
const spaces = /[\s\p{Cf}]+/gu;
const letter = /\p{L}/u;
const separators = /[\p{Pd}()/]+/gu;
