import { afterCard } from "../identifier/after-card.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Expiry dates of payment cards: month and year after a keyword or a card number.
 *
 * @example valid thru: 09/27
 */
export const cardExpiry = identifier({
  type: "card_expiry",
  forms: [{ pattern: /(?:0[1-9]|1[0-2])[/-](?:20)?\d\d/, score: 0.15 }],
  words: [
    ...["exp", "expiry", "expires", "expire", "expiration", "exp date", "expiry date", "expiration date", "valid thru"],
    ...[
      "valid through",
      "valid until",
      "good thru",
      "gültig bis",
      "ablaufdatum",
      "expire à fin",
      "caducidad",
      "vencimiento",
      "validade",
    ],
    ...["scadenza", "有效期", "有効期限"],
  ],
  near: 16,
  alsoAfter: afterCard,
  mask: () => "**/**",
});
