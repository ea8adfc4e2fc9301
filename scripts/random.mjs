// Random numbers that a seed decides, the same in every run and in every runtime (mulberry32).

/** Whole numbers below 2 ** 32. @param {number} seed @returns {() => number} */
function mulberry32(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Numbers from 0 to 1. @param {number} seed @returns {() => number} */
export function randomFractions(seed) {
  const next = mulberry32(seed);
  return () => next() / 2 ** 32;
}

/** Whole numbers below the one that is asked with. @param {number} seed @returns {(below: number) => number} */
export function randomIntegers(seed) {
  const next = mulberry32(seed);
  return (below) => next() % below;
}
