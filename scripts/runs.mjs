/** How often a property is tried: as stated, and twenty times more in `npm run test:long`. @param {number} stated */
export const runs = (stated) => stated * (process.env.TEST_LONG === undefined ? 1 : 20);
