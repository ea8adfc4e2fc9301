/** Limits on the characters of a string and the words of a query, since both come from models and users. */
const mostCharacters = 8000;
const mostWords = 60;

/** Scripts without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Splits a string into words in lower case. */
export function wordsOf(text: string): string[] {
  const read = text.slice(0, mostCharacters).normalize("NFKC").toLowerCase();
  if (unspaced.test(read)) return [...segmenter.segment(read)].flatMap((each) => (each.isWordLike ? each.segment : []));
  return read.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** Returns the distinct words of a query, joined by spaces. */
export const queryOf = (query: string): string => [...new Set(wordsOf(query))].slice(0, mostWords).join(" ");
