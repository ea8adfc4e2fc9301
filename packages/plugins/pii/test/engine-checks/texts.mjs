import { samples } from "./samples.mjs";

/**
 * All built-in types by different strategies, patterns with and without a bound, and a function.
 *
 * @satisfies {import("@suite/pii").Rules}
 */
export const mixedRules = {
  email: "redact",
  credit_card: "mask",
  ip: "hash",
  mac: "redact",
  url: ({ value }) => `<url of ${value.length}>`,
  phone: "redact",
  us_ssn: "mask",
  iban: "redact",
  crypto: "mask",
  secret: "redact",
  ticket: { recognizer: /TCK-\d{6}/, strategy: "redact" },
  staff: { recognizer: /\bEMP\w+/i, strategy: "redact" },
  greek: { recognizer: /\p{Script=Greek}{3,9}/u, strategy: "redact" },
  code: {
    recognizer: (text) =>
      [...text.matchAll(/zq[a-z]{1,8}/g)].map((match) => ({ start: match.index, end: match.index + match[0].length })),
    maxLength: 12,
    strategy: "redact",
  },
};

const filler = [
  ...["the word ", "1 2 3 ", "😀", "谢谢", "@", "x@", "https://", "aa:bb:", "\n", '"', "(", ". ", "\ud83d", "4111 "],
  ...["TCK-123456", "TCK-12", "EMPloyee7", "zqabcdef", "αβγδ", "SSN: ", "\\u00", "%4", "\u200b", "-----BEGIN "],
];
const pieces = [...samples.flatMap(({ values, hidden }) => [...values, ...hidden]), ...filler];

/** A text with values, parts of values, and what may confuse. @param {(below: number) => number} random */
export const mixedText = (random) =>
  Array.from({ length: 2 + random(14) }, () => pieces[random(pieces.length)] + (random(2) ? " " : "")).join("");
