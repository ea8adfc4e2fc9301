/** Returns the name of the model in a path of Google's API. */
export const modelIn = ({ pathname }: URL): string =>
  decodeURIComponent(/\/models\/([^/:]+):\w+$/.exec(pathname)?.[1] ?? "");

/** Returns the same address with another model. */
export function addressOfModel(url: URL, model: string): URL {
  const other = new URL(url);
  other.pathname = url.pathname.replace(/\/models\/[^/:]+:/, () => `/models/${encodeURIComponent(model)}:`);
  return other;
}

/** Returns the address of the same request without streaming. */
export function addressWithoutStreaming(url: URL): URL {
  const address = new URL(url);
  address.pathname = url.pathname.replace(/:streamGenerateContent$/, ":generateContent");
  address.searchParams.delete("alt");
  return address;
}
