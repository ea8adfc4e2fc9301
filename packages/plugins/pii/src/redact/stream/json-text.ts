/** The blanks that JSON allows between tokens. */
export const blanks = new Set(" \t\n\r");
/** The characters that end a bare token, but for a quote. */
export const structure = new Set(["{", "}", "[", "]", ":", ",", ...blanks]);
/** A bare token that is JSON. */
export const literal = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** The characters of JSON's escapes, by the letter after the backslash. */
export const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Encodes a string as the content of a JSON string. */
export const encode = (text: string): string => (text === "" ? "" : JSON.stringify(text).slice(1, -1));
