import { isOneDigit, valueAt, weighted } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Individual numbers of Japan (My Number): twelve digits, the last of them a check digit modulo 11 (総務省令第85号, article
 * 5). Without separators they need a keyword before them.
 *
 * @example 1234 5678 9018
 */
export const jpMyNumber = identifier({
  type: "jp_my_number",
  forms: [
    { pattern: /\d{4}([ -])\d{4}\1\d{4}/, score: 0.5 },
    { pattern: /\d{12}/, score: 0.2 },
  ],
  words: ["マイナンバー", "個人番号", "my number", "individual number"],
  check: (number) => {
    const rest = weighted(number, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
    return !isOneDigit(number) && (rest < 2 ? 0 : 11 - rest) === valueAt(number, 11);
  },
});
