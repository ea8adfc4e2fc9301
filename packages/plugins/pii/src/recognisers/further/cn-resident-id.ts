import { isDay, mod11And2 } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

/**
 * Resident identity numbers of China (GB 11643): region, date of birth, serial number and the check character of
 * ISO/IEC 7064 mod 11-2.
 *
 * @example 11010519491231002X
 */
export const cnResidentId = identifier({
  type: "cn_resident_id",
  forms: [{ pattern: /[1-9]\d{5}(?:18|19|20)\d\d[01]\d[0-3]\d{4}[\dXx]/, score: 0.92 }],
  words: ["身份证", "身份證", "公民身份号码", "resident id", "id card", "identity card"],
  check: (id) =>
    regions.has(id.slice(0, 2)) &&
    isDay(Number(id.slice(6, 10)), Number(id.slice(10, 12)), Number(id.slice(12, 14))) &&
    mod11And2(id),
});

/** Provinces and equivalent regions (GB/T 2260). */
const regions = new Set(
  "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83 91".split(
    " ",
  ),
);
