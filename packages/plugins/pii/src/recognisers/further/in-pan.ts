import { identifier } from "../identifier/identifier.js";

/**
 * Tax numbers of India (PAN): five letters, the fourth for the kind of holder, four digits and a letter (Income Tax
 * Department).
 *
 * @example ABCPE1234F
 */
export const inPan = identifier({
  type: "in_pan",
  forms: [{ pattern: /[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]/, score: 0.6 }],
  words: ["pan", "pan card", "permanent account number", "income tax"],
});
