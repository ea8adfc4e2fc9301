import { verhoeff } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Aadhaar numbers of India: twelve digits, the first from 2 on, with Verhoeff's check digit (UIDAI). Without separators
 * they need a keyword before them.
 *
 * @example 2341 2341 2346
 */
export const inAadhaar = identifier({
  type: "in_aadhaar",
  forms: [
    { pattern: /[2-9]\d{3}([ -])\d{4}\1\d{4}/, score: 0.6 },
    { pattern: /[2-9]\d{11}/, score: 0.3 },
  ],
  words: ["aadhaar", "aadhar", "adhaar", "uidai", "uid", "आधार"],
  check: verhoeff,
});
