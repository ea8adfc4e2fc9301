/**
 * One spelling for what is written in several ways: compatibility forms (NFKC) and case are folded and white space is
 * left out; of what holds no letter, also hyphens, parentheses and slashes. So `Jane@X.com` is `jane@x.com`,
 * `4111-1111 1111 1111` is `4111111111111111`, `(030) 12-34` is `0301234`. Dots, colons and signs stay: without them
 * two network addresses would be one. Nothing is added: `030…` and `+49 30…` are two values.
 */
export function spelling(value: string): string {
  const folded = value.normalize("NFKC").toLowerCase().normalize("NFKC").replace(spaces, "");
  return letter.test(folded) ? folded : folded.replace(separators, "");
}

/** White space and what cannot be seen: both come with text that was copied. */
const spaces = /[\s\p{Cf}]+/gu;
const letter = /\p{L}/u;
const separators = /[\p{Pd}()/]+/gu;
