/** The digit at a place, or the value of a letter in base 36. */
export const valueAt = (text: string, at: number): number => Number.parseInt(text.charAt(at), 36);

/** The sum of the digits, each times its weight. Digits without a weight do not count. */
export const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * valueAt(digits, at), 0);

/** Luhn (ISO/IEC 7812-1, annex B), of digits of ASCII. */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, twice = false; at >= 0; at--, twice = !twice) {
    const value = (digits.charCodeAt(at) - 48) * (twice ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** ISO/IEC 7064, mod 11-2, whose check character may be X. */
export function mod11And2(text: string): boolean {
  let rest = 0;
  for (const character of text) rest = (rest * 2 + (character === "X" ? 10 : Number(character))) % 11;
  return rest === 1;
}

/** ISO/IEC 7064, mod 11,10. */
export function mod11And10(digits: string): boolean {
  let product = 10;
  for (let at = 0; at < digits.length - 1; at++) product = (((product + valueAt(digits, at)) % 10 || 10) * 2) % 11;
  return (product + valueAt(digits, digits.length - 1)) % 10 === 1;
}

/** Multiplication in the dihedral group of order ten. */
const times = (a: number, b: number): number =>
  a < 5 ? (b < 5 ? (a + b) % 5 : ((a + b) % 5) + 5) : b < 5 ? ((a - b + 5) % 5) + 5 : (a - b + 5) % 5;
/** The permutation of the digits for one position; the position is the number of times it is applied. */
const moved = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/** Verhoeff's check digit (Error Detecting Decimal Codes, 1969). */
export function verhoeff(digits: string): boolean {
  let check = 0;
  for (let place = 0; place < digits.length; place++) {
    let digit = valueAt(digits, digits.length - 1 - place);
    for (let move = 0; move < place % 8; move++) digit = moved[digit] ?? 0;
    check = times(check, digit);
  }
  return check === 0;
}

/** Returns true if all digits are the same. */
export const isOneDigit = (digits: string): boolean => /^(\d)\1*$/.test(digits);

/** Returns true if the date exists. */
export function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
