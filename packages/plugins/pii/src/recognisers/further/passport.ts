import { identifier } from "../identifier/identifier.js";

/**
 * Passport numbers after a keyword: six to nine digits and letters, three at least of them digits (ICAO 9303, part 4).
 *
 * @example passport: X1234567
 */
export const passport = identifier({
  type: "passport",
  forms: [{ pattern: /[0-9A-Z]{6,9}/, score: 0.15 }],
  words: [
    ...[
      "passport",
      "passports",
      "passport number",
      "passport no",
      "passnummer",
      "reisepass",
      "passeport",
      "pasaporte",
      "passaporto",
    ],
    ...["passaporte", "paspoort", "paszport", "паспорт", "护照", "護照", "パスポート", "旅券", "여권", "पासपोर्ट"],
  ],
  check: (number) => /(?:\d[A-Z]*){3}/.test(number),
});
