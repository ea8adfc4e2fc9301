import { identifier } from "../identifier/identifier.js";
import { isCountry } from "../phone/plans.js";

/**
 * Business identifier codes (BIC, also called SWIFT codes; ISO 9362) after a keyword: four characters, a country, two
 * and optionally three more characters.
 *
 * @example BIC: DEUTDEFF500
 */
export const bic = identifier({
  type: "bic",
  triggers: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  forms: [{ pattern: /[A-Z]{6}[0-9A-Z]{2}(?:[0-9A-Z]{3})?/, score: 0.15 }],
  words: ["bic", "bic code", "swift", "swift code", "bic swift", "iso 9362"],
  check: (code) => isCountry(code.slice(4, 6)) || code.startsWith("XK", 4),
  mask: (value) => `****${value.slice(4, 6).toUpperCase()}**`,
});
