import { groupBy } from "./group-by.js";
import type { RunMetrics } from "./metrics.js";

/** The median and the 95th percentile of figures. */
interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** The runs that began within one time step. Times are milliseconds. */
export interface Bucket {
  readonly start: number;
  readonly runs: number;
  readonly duration?: Percentiles;
  readonly firstChunk?: Percentiles;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly errors: number;
  /** The number of findings of each type of the series, in the order of its types. */
  readonly findings: readonly number[];
}

/** The figures of runs over time, in steps of equal length. Empty steps are left out. */
export interface Series {
  readonly step: number;
  readonly from: number;
  readonly to: number;
  /** The types of personal data, the most frequent first. If there are too many, the last one represents the rest. */
  readonly types: readonly string[];
  readonly buckets: readonly Bucket[];
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const steps = [
  ...[second, 5 * second, 15 * second, minute, 5 * minute, 15 * minute],
  ...[hour, 6 * hour, day, 7 * day, 30 * day, 365 * day],
];
/** The most steps of a series. */
const MOST_STEPS = 60;
/** The most types that are shown separately. */
const MOST_TYPES = 7;

/** Returns the figures of these runs over time. */
export function seriesOf(metrics: readonly RunMetrics[]): Series {
  const first = metrics.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const last = metrics.reduce((most, { start }) => Math.max(most, start), 0);
  if (metrics.length === 0) return { step: minute, from: 0, to: 0, types: [], buckets: [] };
  const step = steps.find((each) => (last - first) / each < MOST_STEPS - 1) ?? (last - first) / (MOST_STEPS - 2);
  const from = Math.floor(first / step) * step;
  const groups = groupBy(metrics, ({ start }) => Math.floor((start - from) / step));
  const { types, hasOther } = typesOf(metrics);
  const buckets = [...groups]
    .sort(([a], [b]) => a - b)
    .map(([at, group]) => ({ start: from + at * step, ...bucketOf(group, types, hasOther) }));
  return { step, from, to: from + (Math.floor((last - from) / step) + 1) * step, types, buckets };
}

function bucketOf(group: readonly RunMetrics[], types: readonly string[], hasOther: boolean): Omit<Bucket, "start"> {
  const sum = (of: (each: RunMetrics) => number): number => group.reduce((total, each) => total + of(each), 0);
  const duration = percentiles(group.flatMap((each) => each.duration ?? []));
  const firstChunk = percentiles(group.flatMap((each) => each.firstChunks));
  const named = hasOther ? types.slice(0, -1) : types;
  const findings = named.map((type) => sum((each) => each.findings.get(type) ?? 0));
  const all = sum((each) => [...each.findings.values()].reduce((total, times) => total + times, 0));
  return {
    runs: group.length,
    ...(duration !== undefined && { duration }),
    ...(firstChunk !== undefined && { firstChunk }),
    inputTokens: sum((each) => each.inputTokens),
    outputTokens: sum((each) => each.outputTokens),
    cost: sum((each) => each.cost),
    errors: sum((each) => each.errors),
    findings: hasOther ? [...findings, all - findings.reduce((total, times) => total + times, 0)] : findings,
  };
}

function typesOf(metrics: readonly RunMetrics[]): { readonly types: readonly string[]; readonly hasOther: boolean } {
  const totals = new Map<string, number>();
  for (const { findings } of metrics)
    for (const [type, times] of findings) totals.set(type, (totals.get(type) ?? 0) + times);
  const types = [...totals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([type]) => type);
  if (types.length <= MOST_TYPES) return { types, hasOther: false };
  return { types: [...types.slice(0, MOST_TYPES - 1), "others"], hasOther: true };
}

/** Returns the percentiles by nearest rank. Returns `undefined` for an empty list. */
function percentiles(values: readonly number[]): Percentiles | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number | undefined => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  const [p50, p95] = [at(0.5), at(0.95)];
  return p50 === undefined || p95 === undefined ? undefined : { p50, p95 };
}
