/** The blanks that JSON allows between tokens. */
export const blanks = new Set(" \t\n\r");
/** The characters that end a bare token, but for a quote. */
export const structure = new Set(["{", "}", "[", "]", ":", ",", ...blanks]);
/** A bare token that is JSON. */
export const literal = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** The characters that the letters behind a backslash stand for. */
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

/** Text as it is written inside of a JSON string. */
export const encode = (text: string): string => (text === "" ? "" : JSON.stringify(text).slice(1, -1));
