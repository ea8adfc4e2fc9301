import { mod11And10 } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Tax identification numbers of Germany: eleven digits with an ISO/IEC 7064 mod 11,10 check digit. Among the first ten
 * exactly one digit occurs two or three times (BZSt).
 *
 * @example 86 095 742 719
 */
export const deTaxId = identifier({
  type: "de_tax_id",
  forms: [
    { pattern: /[1-9]\d \d{3} \d{3} \d{3}/, score: 0.8 },
    { pattern: /[1-9]\d{10}/, score: 0.5 },
  ],
  words: [
    "steuer id",
    "steueridentifikationsnummer",
    "identifikationsnummer",
    "idnr",
    "id nr",
    "tin",
    "tax id",
    "steuernummer",
  ],
  check: (id) => repeats(id.slice(0, 10)) && mod11And10(id),
});

/** One digit is there twice or three times, all others once at most, and it does not stand three times in a row. */
function repeats(digits: string): boolean {
  const counts = [..."0123456789"].map((digit) => digits.split(digit).length - 1);
  const several = counts.filter((count) => count > 1);
  return several.length === 1 && (several[0] ?? 0) <= 3 && !/(\d)\1\1/.test(digits);
}
