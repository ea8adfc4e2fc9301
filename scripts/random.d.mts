/** The types of `random.mjs`, for the benchmarks: their sources are compiled without those of scripts. */
export declare function randomFractions(seed: number): () => number;
export declare function randomIntegers(seed: number): (below: number) => number;
