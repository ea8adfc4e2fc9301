import type { Span } from "./span.js";

/** A stretch of time without events, drawn shorter than it was. Places are from 0 to 1. */
interface Cut {
  readonly from: number;
  readonly to: number;
  /** The real duration in milliseconds. */
  readonly took: number;
}

/** The scale of a waterfall: times in milliseconds to places from 0 to 1, and back. */
export interface TimeScale {
  readonly start: number;
  readonly duration: number;
  readonly cuts: readonly Cut[];
  place(time: number): number;
  timeAt(place: number): number;
}

/**
 * A stretch is cut if it is more than `TIMES` times as long as all shorter ones together, and lasts `LEAST_MS` at
 * least.
 */
const TIMES = 2;
const LEAST_MS = 1000;
/** The fraction of the width that each cut takes. */
const CUT_WIDTH = 0.06;
const MOST_CUTS = 5;

/**
 * Returns the time scale of these spans. If a run waited, for example for a person, the long stretches without events
 * are cut, so that the work before and after is visible.
 *
 * @param least milliseconds that the width represents at least.
 */
export function timeScaleOf(spans: readonly Span[], least = 0): TimeScale {
  const start = spans.reduce((earliest, span) => Math.min(earliest, span.start), Number.POSITIVE_INFINITY);
  const end = spans.reduce((latest, span) => Math.max(latest, span.end), 0);
  const duration = Math.max(least, end - start, 0.001);
  const isOne = new Set(spans.map(({ traceId }) => traceId)).size <= 1;
  const long = isOne ? [] : longStretches(spans);
  const remaining = long.reduce((sum, { from, to }) => sum - (to - from), duration);
  const unit = (1 - long.length * CUT_WIDTH) / Math.max(remaining, 0.001);
  // The corners of a piecewise linear function from times to places.
  const corners: (readonly [number, number])[] = [[start, 0]];
  let [time, place] = [start, 0];
  const cuts: Cut[] = [];
  for (const { from, to } of long) {
    place = Math.min(1 - CUT_WIDTH, place + (from - time) * unit);
    cuts.push({ from: place, to: place + CUT_WIDTH, took: to - from });
    corners.push([from, place], [to, place + CUT_WIDTH]);
    [time, place] = [to, place + CUT_WIDTH];
  }
  corners.push([start + duration, 1]);
  return {
    start,
    duration,
    cuts,
    place: (at) => along(corners, at, 0, 1),
    timeAt: (at) => along(corners, at, 1, 0),
  };
}

/** Returns the longest stretches between the starts and ends of spans, in order of time. */
function longStretches(spans: readonly Span[]): readonly { readonly from: number; readonly to: number }[] {
  const times = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const stretches = times.slice(1).map((to, at) => ({ from: times[at] ?? to, to }));
  const byLength = [...stretches].sort((a, b) => a.to - a.from - (b.to - b.from));
  let shorter = 0;
  const first = byLength.findIndex(({ from, to }) => {
    const isLong = to - from >= LEAST_MS && to - from > TIMES * shorter && shorter > 0;
    shorter += to - from;
    return isLong;
  });
  if (first < 0) return [];
  return byLength
    .slice(first)
    .slice(-MOST_CUTS)
    .sort((a, b) => a.from - b.from);
}

/** Interpolates on the line: `of` is the index of the point in a corner, `to` that of the value. */
function along(corners: readonly (readonly [number, number])[], at: number, of: 0 | 1, to: 0 | 1): number {
  const next = corners.find((corner, index) => index > 0 && at <= corner[of]) ?? corners.at(-1) ?? [0, 0];
  const before = corners[corners.indexOf(next) - 1] ?? next;
  const length = next[of] - before[of];
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, (at - before[of]) / length));
  return before[to] + part * (next[to] - before[to]);
}
