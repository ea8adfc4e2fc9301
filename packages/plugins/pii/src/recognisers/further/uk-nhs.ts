import { isOneDigit, valueAt, weighted } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Patient numbers of the NHS: ten digits, the last of them a check digit modulo 11 (NHS Data Dictionary). Formats other
 * than `943 476 5919` need a keyword before them.
 *
 * @example 943 476 5919
 */
export const ukNhs = identifier({
  type: "uk_nhs",
  forms: [
    { pattern: /\d{3} \d{3} \d{4}/, score: 0.5 },
    { pattern: /\d{3}-?\d{3}-?\d{4}/, score: 0.2 },
  ],
  words: ["nhs", "nhs number", "nhs no", "patient", "h&c number", "chi number"],
  check: (nhs) =>
    !isOneDigit(nhs) && (11 - (weighted(nhs, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === valueAt(nhs, 9),
});
