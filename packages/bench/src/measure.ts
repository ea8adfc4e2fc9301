/**
 * Measures the cases of a group in turn, over many rounds. A ratio is formed within a round, so that other load on the
 * machine affects both sides. tinybench is not used because it finishes one task before the next, and reads the clock
 * around every call, which costs more than some of the measured work.
 */

/** Runs the measured work once. */
export type Case = () => PromiseLike<unknown>;

/** The nanoseconds of each case in one round, per unit of its group. */
export type Round<Name extends string> = Readonly<Record<Name, number>>;

export interface Effort {
  readonly rounds: number;
  /** The milliseconds that one case runs before the next one. */
  readonly turn: number;
  /** The milliseconds that each case runs before the measurement, so that it is compiled. */
  readonly warmUp: number;
  /** `computed`: the CPU time of the process, with all threads and system calls. Default `passed`: elapsed time. */
  readonly clock?: Clock | undefined;
}

export type Clock = "passed" | "computed";

/** @param units the number of units (calls, chunks) in one run of a case. */
export async function measure<Name extends string>(
  cases: Readonly<Record<Name, Case>>,
  units: number,
  { rounds, turn, warmUp, clock = "passed" }: Effort,
): Promise<readonly Round<Name>[]> {
  const names = Object.keys(cases) as Name[];
  // The warm-up also takes turns: shared code must have run with all cases before its speed is stable.
  const times = Object.fromEntries(names.map((name) => [name, 1])) as Record<Name, number>;
  for (let step = 0; step < 4; step++) {
    for (const name of names) times[name] = await timesWithin(turn, cases[name], warmUp / 4);
  }
  const measured: Round<Name>[] = [];
  for (let round = 0; round < rounds; round++) {
    const nanoseconds = { ...times };
    for (const name of shuffled(names)) {
      nanoseconds[name] = (await elapsed(cases[name], times[name], clock)) / times[name] / units;
    }
    measured.push(nanoseconds);
  }
  return measured;
}

/**
 * Shuffles the cases. In a fixed order, the garbage of one case would always be collected during the same other case.
 */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const lots = items.map((item) => ({ item, lot: Math.random() }));
  return lots.sort((a, b) => a.lot - b.lot).map(({ item }) => item);
}

/** Runs a case for `budget` milliseconds, and returns how often it can run in `turn` milliseconds. */
async function timesWithin(turn: number, run: Case, budget: number): Promise<number> {
  let spent = 0;
  let last = 0;
  let times = 1;
  while (spent < budget * 1e6) {
    last = await elapsed(run, times, "passed");
    spent += last;
    times = Math.max(1, Math.min(times * 4, Math.round((times * turn * 1e6) / last)));
  }
  return times;
}

async function elapsed(run: Case, times: number, clock: Clock): Promise<number> {
  const start = process.hrtime.bigint();
  const cpu = process.cpuUsage();
  for (let i = 0; i < times; i++) await run();
  const { user, system } = process.cpuUsage(cpu);
  return clock === "computed" ? (user + system) * 1000 : Number(process.hrtime.bigint() - start);
}

/** The median of a figure over all rounds, the bounds of the middle half, and the maximum. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly most: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75), most: at(1) };
}
