import { identifier } from "../identifier/identifier.js";

/**
 * Identity numbers of Spain: the DNI of eight digits and the NIE that begins with X, Y or Z, with their check letter
 * modulo 23 (Ministerio del Interior).
 *
 * @example 12345678Z
 * @example X1234567L
 */
export const esNif = identifier({
  type: "es_nif",
  forms: [
    { pattern: /\d{8}[ -]?[A-HJ-NP-TV-Z]/, score: 0.6 },
    { pattern: /[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z]/, score: 0.7 },
    { pattern: /\d{8}[a-hj-np-tv-z]/, score: 0.3 },
    { pattern: /[XYZ][ -]\d{7}[ -]?[A-HJ-NP-TV-Z]/, score: 0.7, lead: /(?<![0-9A-Za-z])[XYZ][ -]$/ },
  ],
  words: ["dni", "nif", "nie", "documento nacional de identidad", "documento de identidad"],
  check: (nif) => {
    const number = Number(nif.slice(0, -1).replace("X", "0").replace("Y", "1").replace("Z", "2"));
    return "TRWAGMYFPDXBNJZSQVHLCKE".charAt(number % 23) === nif.at(-1);
  },
});
