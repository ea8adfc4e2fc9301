import { isOneDigit, valueAt, weighted } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Tax numbers of persons in Brazil (CPF): eleven digits, the last two of them check digits (Receita Federal). Without
 * separators they need a keyword before them.
 *
 * @example 529.982.247-25
 */
export const brCpf = identifier({
  type: "br_cpf",
  forms: [
    { pattern: /\d{3}\.\d{3}\.\d{3}-\d\d/, score: 0.9 },
    { pattern: /\d{9}-?\d\d/, score: 0.4 },
  ],
  words: ["cpf", "cadastro de pessoas físicas", "contribuinte"],
  check: (cpf) => !isOneDigit(cpf) && [9, 10].every((length) => checkOf(cpf.slice(0, length)) === valueAt(cpf, length)),
});

function checkOf(digits: string): number {
  const sum = weighted(
    digits,
    Array.from(digits, (_, at) => digits.length + 1 - at),
  );
  return ((sum * 10) % 11) % 10;
}
