import { isOneDigit, luhn } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Social insurance numbers of Canada: nine digits with a Luhn check digit, not starting with 8 (Service Canada).
 * Without separators they need a keyword before them.
 *
 * @example 130 692 544
 */
export const caSin = identifier({
  type: "ca_sin",
  forms: [
    { pattern: /[1-79]\d{2}([ -])\d{3}\1\d{3}/, score: 0.5 },
    { pattern: /[1-79]\d{8}/, score: 0.2 },
  ],
  words: ["sin", "sin number", "social insurance", "nas", "assurance sociale"],
  check: (sin) => !isOneDigit(sin) && luhn(sin),
});
