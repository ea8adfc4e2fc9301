import { isOneDigit } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Company numbers of Brazil (CNPJ): twelve digits or, from 2026 on, capitals, and two check digits (Receita Federal).
 * Without separators they need a keyword before them.
 *
 * @example 11.222.333/0001-81
 * @example 12.ABC.345/01DE-35
 */
export const brCnpj = identifier({
  type: "br_cnpj",
  forms: [
    { pattern: /[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d\d/, score: 0.9 },
    { pattern: /[\dA-Z]{12}-?\d\d/, score: 0.4 },
  ],
  words: ["cnpj", "cadastro nacional"],
  check: (cnpj) =>
    !isOneDigit(cnpj) && [12, 13].every((length) => checkOf(cnpj.slice(0, length)) === Number(cnpj[length])),
});

/** Each character counts what its place in ASCII is beyond 0, times 2 to 9 from the right. */
function checkOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += (text.charCodeAt(at) - 48) * (((text.length - 1 - at) % 8) + 2);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}
