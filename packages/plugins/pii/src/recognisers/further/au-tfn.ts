import { isOneDigit, weighted } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Tax file numbers of Australia: nine digits whose weighted sum is divisible by 11 (ATO). Without separators they need
 * a keyword before them.
 *
 * @example 123 456 782
 */
export const auTfn = identifier({
  type: "au_tfn",
  forms: [
    { pattern: /\d{3}([ -])\d{3}\1\d{3}/, score: 0.5 },
    { pattern: /\d{9}/, score: 0.2 },
  ],
  words: ["tfn", "tax file", "tax file number", "tax file no"],
  check: (tfn) => !isOneDigit(tfn) && weighted(tfn, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
});
