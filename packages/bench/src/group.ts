import type { Case, Clock, Round, Spread } from "./measure.js";

/** Benchmarks that are measured together, with their aims. There is one file for each group; `main.ts` lists them. */
export interface Group<Name extends string> {
  readonly name: string;
  /** The comparison that is made, for the reader of the page. */
  readonly about: string;
  /** The unit of the times. */
  readonly unit: string;
  /** The number of units in one run of a case. Default 1. */
  readonly units?: number;
  /** The most measured rounds, if a case takes long. `about` mentions it. */
  readonly rounds?: number;
  /** The clock of the group. Default: elapsed time. */
  readonly clock?: Clock;
  open(): Opened<Name> | Promise<Opened<Name>>;
  readonly figures: readonly Figure<Name>[];
  /** The figures that need no clock. */
  counts?(): readonly Counts[];
}

interface Opened<Name extends string> {
  /** The measured cases, under the names that the page uses. */
  readonly cases: Readonly<Record<Name, Case>>;
  close?(): Promise<void>;
}

/** One figure on the page: a ratio of times of one round. */
export interface Figure<Name extends string> {
  readonly name: string;
  ratio(time: Round<Name>): number;
  /** The aim. Without one, the figure is for information. */
  readonly aim?: Aim;
}

/** Counted numbers, which are the same in every run. */
export interface Counts {
  readonly name: string;
  readonly values: readonly number[];
  readonly aim?: Aim;
}

export interface Aim {
  readonly text: string;
  /** @param of returns another figure of the group by its name. */
  met(figure: Spread, of: (name: string) => Spread): boolean;
}

/** Infers the names of the cases. */
export const defineGroup = <const Name extends string>(group: Group<Name>): Group<Name> => group;

export const atMost = (limit: number, text = `${limit}`): Aim => ({
  text: `at most ${text}`,
  met: ({ median }) => median <= limit,
});

export const atLeast = (limit: number): Aim => ({
  text: `at least ${limit}`,
  met: ({ median }) => median >= limit,
});

export const below = (limit: number, text = `${limit}`): Aim => ({
  text: `below ${text}`,
  met: ({ median }) => median < limit,
});

/** Creates an upper limit that no round may exceed. */
export const neverAbove = (limit: number): Aim => ({
  text: `never above ${limit.toLocaleString("en")}`,
  met: ({ most }) => most <= limit,
});

/** An aim for a figure that compares a case with itself: at most the `high` value of the noise figure. */
export const withinNoise = (noise: string): Aim => ({
  text: "1, within noise",
  met: ({ median }, of) => median <= of(noise).high,
});
