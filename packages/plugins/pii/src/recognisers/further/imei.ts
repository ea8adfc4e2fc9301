import { isOneDigit, luhn } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * IMEI numbers of mobile devices (3GPP TS 23.003): fifteen digits with a Luhn check digit. Without separators they need
 * a keyword before them.
 *
 * @example 49-015420-323751-8
 */
export const imei = identifier({
  type: "imei",
  forms: [
    { pattern: /\d\d([ -])\d{6}\1\d{6}\1\d/, score: 0.9 },
    { pattern: /\d{15}/, score: 0.3 },
  ],
  words: ["imei", "imei number", "imei no", "imei1", "imei2", "device id"],
  check: (imei) => !isOneDigit(imei) && luhn(imei),
});
