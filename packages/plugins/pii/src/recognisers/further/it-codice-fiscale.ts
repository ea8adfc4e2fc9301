import { valueAt } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Tax codes of Italy (codice fiscale): letters of the name, date and place of birth, and a check letter. Includes codes
 * in which letters replace digits because two persons would have the same code (Decreto 23/12/1976).
 *
 * @example RSSMRA85T10A562S
 */
export const itCodiceFiscale = identifier({
  type: "it_codice_fiscale",
  forms: [
    {
      pattern: /[A-Z]{6}[\dLMNP-V]{2}[ABCDEHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]/i,
      score: 0.92,
    },
  ],
  words: ["codice fiscale", "cod fisc", "c f", "cf"],
  check: (code) => {
    let sum = 0;
    for (let at = 0; at < 15; at++) {
      const value = valueAt(code, at);
      // Letters count like the digits: A like 0.
      const place = value < 10 ? value : value - 10;
      sum += at % 2 === 0 ? (odd[place] ?? 0) : place;
    }
    return (sum % 26) + 10 === valueAt(code, 15);
  },
});

/** The values of the first character, the third and so on. */
const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
