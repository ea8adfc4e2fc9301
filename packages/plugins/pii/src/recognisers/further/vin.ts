import { identifier } from "../identifier/identifier.js";

/**
 * Vehicle identification numbers (ISO 3779): seventeen characters without I, O and Q. Numbers without North America's
 * check digit (49 CFR 565.15) need a keyword before them.
 *
 * @example 1M8GDM9AXKP042788
 * @example VIN: WVWZZZ1JZXW000001
 */
export const vin = identifier({
  type: "vin",
  forms: [
    { pattern: /[\dA-HJ-NPR-Z]{8}[\dX][\dA-HJ-NPR-Z]{4}\d{4}/, score: 0.7, check: isChecked },
    { pattern: /[\dA-HJ-NPR-Z]{13}\d{4}/, score: 0.2 },
  ],
  words: [
    "vin",
    "vin number",
    "vehicle identification",
    "chassis",
    "chassis number",
    "fahrgestellnummer",
    "fin",
    "bastidor",
  ],
  check: (vin) => /[A-Z]/.test(vin) && /^(?!(.)\1+$)/.test(vin),
});

const values = "0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ";
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

function isChecked(vin: string): boolean {
  const rest = weights.reduce((sum, weight, at) => sum + weight * (values.indexOf(vin.charAt(at)) % 10), 0) % 11;
  return (rest === 10 ? "X" : String(rest)) === vin.charAt(8);
}
