const { CI, TEST_LONG } = process.env;
const share = TEST_LONG !== undefined ? 20 : CI !== undefined ? 1 : 1 / 4;

/**
 * The number of times that a property is tried: as stated on CI, twenty times more in `npm run test:long`, and a quarter as
 * often elsewhere, where each run draws anew.
 *
 * @param {number} stated
 */
export const runs = (stated) => Math.ceil(stated * share);

/**
 * The time that a test may take which tries properties, in milliseconds: longer in `npm run test:long`, and never shorter.
 *
 * @param {number} stated
 */
export const timeFor = (stated) => stated * Math.max(1, share);
