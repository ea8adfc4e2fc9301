import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** One look at the process, after a collection of garbage. */
export interface Sample {
  /** Seconds since the soak began. */
  readonly at: number;
  /**
   * True if no run was active. Only these samples are compared: in others, handles and timers belong to active runs.
   */
  readonly quiet: boolean;
  /** Bytes. */
  readonly heap: number;
  readonly rss: number;
  readonly external: number;
  readonly timers: number;
  /** Handles and requests except timers. */
  readonly handles: number;
  readonly descriptors: number;
  /** Milliseconds of delay of the event loop since the sample before. */
  readonly delayP50: number;
  readonly delayP99: number;
  /** Runs that have ended so far. */
  readonly runs: number;
}

/** Looks at this process. */
export class Sampler {
  readonly samples: Sample[] = [];
  readonly #start = performance.now();
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });

  constructor() {
    if (globalThis.gc === undefined) throw new Error("The soak needs node --expose-gc.");
    this.#delay.enable();
  }

  look(quiet: boolean, runs: number): Sample {
    const milliseconds = (percentile: number): number =>
      Math.round(Math.max(0, this.#delay.percentile(percentile) / 1e6 - 10) * 10) / 10;
    const [delayP50, delayP99] = [milliseconds(50), milliseconds(99)];
    globalThis.gc?.();
    const { heapUsed, rss, external } = process.memoryUsage();
    const { timers, handles } = openResources();
    const sample: Sample = {
      at: Math.round((performance.now() - this.#start) / 100) / 10,
      quiet,
      heap: heapUsed,
      rss,
      external,
      timers,
      handles,
      descriptors: readdirSync("/proc/self/fd").length,
      delayP50,
      delayP99,
      runs,
    };
    this.#delay.reset(); // without the collection, which the sample has caused itself
    this.samples.push(sample);
    return sample;
  }

  end(): void {
    this.#delay.disable();
  }
}

/** The timers and other handles that keep this process alive. */
export function openResources(): {
  readonly timers: number;
  readonly handles: number;
  readonly names: readonly string[];
} {
  const names = process.getActiveResourcesInfo();
  const timers = names.filter((name) => name === "Timeout" || name === "Immediate").length;
  return { timers, handles: names.length - timers, names };
}

/** A straight line through points, and how far they lie from it. */
export interface Trend {
  readonly mean: number;
  readonly slope: number;
  /** The standard deviation of the distances from the line. */
  readonly noise: number;
  /** The standard error of the slope. */
  readonly error: number;
}

/** The line of least squares through points. */
export function trendOf(points: readonly (readonly [x: number, y: number])[]): Trend {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const mean = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const squares = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = squares === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - mean), 0) / squares;
  const residual = points.reduce((sum, [x, y]) => sum + (y - mean - slope * (x - meanX)) ** 2, 0);
  const noise = Math.sqrt(residual / Math.max(1, count - 2));
  return { mean, slope, noise, error: squares === 0 ? 0 : noise / Math.sqrt(squares) };
}
