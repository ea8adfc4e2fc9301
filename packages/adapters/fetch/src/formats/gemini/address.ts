/** The model that a path of Google's names. */
export const modelIn = ({ pathname }: URL): string =>
  decodeURIComponent(/\/models\/([^/:]+):\w+$/.exec(pathname)?.[1] ?? "");

/** The address at which another model is asked, the rest as it was. */
export function addressOfModel(url: URL, model: string): URL {
  const other = new URL(url);
  other.pathname = url.pathname.replace(/\/models\/[^/:]+:/, () => `/models/${encodeURIComponent(model)}:`);
  return other;
}

/** The address of a plain answer by the same model, in place of one that streams. */
export function plainAddress(url: URL): URL {
  const plain = new URL(url);
  plain.pathname = url.pathname.replace(/:streamGenerateContent$/, ":generateContent");
  plain.searchParams.delete("alt");
  return plain;
}
