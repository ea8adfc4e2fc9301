import { luhn } from "./check-digits.js";

/** The number of a card and optionally its expiry, with no word and no other digits after it. */
const number =
  /(?<![\d.])(\d(?:[ -]?\d){12,18})(?:[^\p{L}\d]{1,12}(?:0[1-9]|1[0-2])[/-](?:20)?\d\d)?[^\p{L}\d]{1,12}$/u;

/** Returns true if the number of a payment card stands right before a value. */
export function afterCard(before: string): boolean {
  const found = number.exec(before)?.[1]?.replaceAll(/\D/g, "");
  return found !== undefined && found.length >= 13 && luhn(found);
}
