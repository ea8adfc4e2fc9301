/** Gives a whole number below the one it is given. */
export type Random = (below: number) => number;

/** Numbers that are the same in every run. */
export { randomIntegers as seeded } from "../../../scripts/random.mjs";
