export { isInvisible } from "@suite/kit/text";

/** Letters of other scripts that look like Latin ones. */
const lookAlikes = new Map(
  Object.entries({
    а: "a",
    е: "e",
    о: "o",
    р: "p",
    с: "c",
    у: "y",
    х: "x",
    і: "i",
    ѕ: "s",
    ј: "j",
    ԁ: "d",
    һ: "h",
    ӏ: "l",
    в: "b",
    к: "k",
    м: "m",
    т: "t",
    н: "h",
    ο: "o",
    α: "a",
    ε: "e",
    ι: "i",
    ν: "v",
    ρ: "p",
    τ: "t",
    υ: "u",
    κ: "k",
    ı: "i",
    ł: "l",
    ß: "ss",
    ø: "o",
  }),
);

const folded = new Map<number, string>();

/**
 * Folds a character to a canonical form: lower case, no accents, Latin for look-alikes. Returns an empty string for a
 * character that is not part of words.
 */
export function foldCharacter(code: number): string {
  if (code >= 0x61 && code <= 0x7a) return String.fromCharCode(code);
  const known = folded.get(code);
  if (known !== undefined) return known;
  const fold = folding(String.fromCodePoint(code));
  folded.set(code, fold);
  return fold;
}

function folding(character: string): string {
  let fold = "";
  for (const each of character.normalize("NFKD").toLowerCase()) {
    if (/[\p{L}\p{N}]/u.test(each)) fold += lookAlikes.get(each) ?? each;
  }
  return fold;
}

/** A word in one form for all its forms. */
export const foldWord = (word: string): string =>
  Array.from(word, (character) => foldCharacter(character.codePointAt(0) ?? 0)).join("");
