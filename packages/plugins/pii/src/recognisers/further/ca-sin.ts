import { isOneDigit, luhn } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Social insurance numbers of Canada: nine digits with the check digit of Luhn, none from 8 on but 9 (Service Canada). In one
 * piece behind a word that says so.
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
