const fixed = (...lengths: number[]): number => lengths.reduce((set, length) => set | (1 << length), 0);
const between = (first: number, last: number): number =>
  fixed(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

/**
 * First and last six digits of each range, and how long its numbers are (bit n: n digits). From the issuers' published
 * ranges as collected under "Payment card number" (ISO/IEC 7812). Narrower ranges inside wider ones add lengths.
 */
const ranges: readonly (readonly [first: number, last: number, lengths: number])[] = [
  [100000, 199999, fixed(15)], // UATP
  [180000, 180099, fixed(15)], // JCB, old
  [194600, 194699, fixed(16)], // GPN
  [213100, 213199, fixed(15)], // JCB, old
  [220000, 220499, between(16, 19)], // Mir
  [220500, 220599, fixed(16)], // Borica
  [222100, 272099, fixed(16)], // Mastercard
  [300000, 305999, between(14, 19)], // Diners Club
  [309500, 309599, between(14, 19)], // Diners Club
  [340000, 349999, fixed(15)], // American Express
  [352800, 358999, between(16, 19)], // JCB
  [353000, 353999, fixed(16)], // RuPay
  [356000, 356999, fixed(16)], // RuPay
  [360000, 369999, between(14, 19)], // Diners Club
  [370000, 379999, fixed(15)], // American Express
  [380000, 399999, between(14, 19)], // Diners Club
  [400000, 499999, fixed(13, 16, 18, 19)], // Visa; Switch
  [500000, 509999, between(12, 19)], // Maestro, Dankort, Verve, Elo, RuPay
  [510000, 559999, fixed(16)], // Mastercard
  [560000, 589999, between(12, 19)], // Maestro
  [600000, 699999, between(16, 19)], // Maestro, Discover, UnionPay, RuPay, InterPayment, InstaPayment, Hipercard, UkrCard, Laser
  [630400, 630499, between(12, 19)], // Maestro, Laser
  [633300, 633399, between(12, 19)], // Maestro
  [675900, 676399, between(12, 19)], // Maestro
  [676700, 676799, between(12, 19)], // Maestro, Solo
  [810000, 829999, between(16, 19)], // UnionPay, RuPay
  [860000, 860099, fixed(16)], // UzCard
  [970400, 970499, fixed(16, 19)], // Napas
  [979200, 979299, fixed(16)], // Troy
  [986000, 986099, fixed(16)], // Humo
];

/** Returns true if an issuer uses numbers with this prefix and length. */
export function isIssued(digits: string): boolean {
  const head = Number(digits.slice(0, 6));
  const bit = 1 << digits.length;
  for (const [first, last, lengths] of ranges) {
    if (first > head) return false;
    if (head <= last && (lengths & bit) !== 0) return true;
  }
  return false;
}
