/** Characters of a text that are looked at, and words of a query: models and users write them. */
const mostCharacters = 8000;
const mostWords = 60;

/** Scripts that put no space between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  const read = text.slice(0, mostCharacters).normalize("NFKC").toLowerCase();
  if (unspaced.test(read)) return [...segmenter.segment(read)].flatMap((each) => (each.isWordLike ? each.segment : []));
  return read.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** The words of a query, each once. */
export const queryOf = (query: string): string => [...new Set(wordsOf(query))].slice(0, mostWords).join(" ");
