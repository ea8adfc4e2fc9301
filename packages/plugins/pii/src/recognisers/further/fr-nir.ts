import { identifier } from "../identifier/identifier.js";

/**
 * Social security numbers of France (NIR): sex, year and month of birth, place, serial number, and a key of two digits
 * modulo 97 (INSEE).
 *
 * @example 2 55 08 14 168 025 38
 */
export const frNir = identifier({
  type: "fr_nir",
  forms: [
    {
      pattern: /[123478]([ .-]?)\d\d\1(?:0[1-9]|1[0-2]|[2-9]\d)\1(?:\d\d|2[AB])\1\d{3}\1\d{3}[ .-]?\d\d/,
      score: 0.92,
    },
  ],
  words: ["nir", "sécurité sociale", "securite sociale", "sécu", "numéro de sécu", "insee", "carte vitale", "nss"],
  check: (nir) => {
    // Corsica's two departments.
    const number = Number(nir.slice(0, 13).replace("2A", "19").replace("2B", "18"));
    return 97 - (number % 97) === Number(nir.slice(13));
  },
});
