import { identifier } from "../identifier/identifier.js";

/**
 * National Insurance numbers of the United Kingdom: two letters that are in use, six digits, and a letter from A to D
 * (HMRC, NIM39110).
 *
 * @example AB 12 34 56 C
 * @example AB123456C
 */
export const ukNino = identifier({
  type: "uk_nino",
  forms: [
    { pattern: /[A-Z]{2}\d{6}[A-D]/, score: 0.6 },
    { pattern: /[A-Z]{2}([ -])\d\d\1\d\d\1\d\d\1[A-D]/, score: 0.7, lead: /(?<![0-9A-Za-z])[A-Z]{2}[ -]$/ },
  ],
  words: ["nino", "ni number", "ni no", "national insurance", "insurance number"],
  check: (nino) => /^[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z]/.test(nino) && !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(nino),
});
