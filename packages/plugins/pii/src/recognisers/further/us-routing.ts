import { isOneDigit, weighted } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Routing numbers of banks in the United States: nine digits of a Federal Reserve district with a check digit, after a
 * keyword (American Bankers Association).
 *
 * @example routing number: 021000021
 */
export const usRouting = identifier({
  type: "us_routing",
  forms: [{ pattern: /(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}/, score: 0.2 }],
  words: ["routing", "routing number", "routing no", "aba", "aba number", "rtn", "aba rtn", "transit number", "ach"],
  check: (number) => !isOneDigit(number) && weighted(number, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
});
