/** Returns a whole number from 0 to the argument, which is excluded. */
export type Random = (below: number) => number;

/** Numbers that are the same in every run. */
export { randomIntegers as seeded } from "../../../scripts/random.mjs";
