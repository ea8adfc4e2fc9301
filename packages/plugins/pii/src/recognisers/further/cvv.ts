import { afterCard } from "../identifier/after-card.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Card verification codes (CVV, CVC, CID): three or four digits directly after a keyword, or after a card number and
 * optionally its expiry.
 *
 * @example CVV: 123
 */
export const cvv = identifier({
  type: "cvv",
  forms: [{ pattern: /\d{3,4}/, score: 0.15 }],
  words: [
    "cvv",
    "cvv2",
    "cvc",
    "cvc2",
    "csc",
    "cid",
    "security code",
    "verification code",
    "card code",
    "kartenprüfnummer",
  ],
  near: 12,
  alsoAfter: afterCard,
  mask: () => "***",
});
