import { metrics } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";

/** One data point of a metric. */
export interface Point {
  readonly attributes: Record<string, unknown>;
  /** The number of values that a histogram took; 1 for a counter. */
  readonly count: number;
  readonly sum: number;
  readonly buckets?: readonly number[];
}

/** The real SDK, keeping what it would send. */
export class Metering {
  readonly #exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly provider = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: this.#exporter, exportIntervalMillis: 3_600_000 })],
  });

  register(): this {
    metrics.setGlobalMeterProvider(this.provider);
    return this;
  }

  async stop(): Promise<void> {
    metrics.disable();
    await this.provider.shutdown();
  }

  /** Every metric that has a value, by name. */
  async read(): Promise<Record<string, { readonly unit: string; readonly points: readonly Point[] }>> {
    this.#exporter.reset();
    await this.provider.forceFlush();
    const all = this.#exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    return Object.fromEntries(
      all.map(({ descriptor, dataPoints }) => {
        const points = dataPoints.map(({ attributes, value }): Point => {
          if (typeof value === "number") return { attributes, count: 1, sum: value };
          if (!("buckets" in value)) throw new Error(`${descriptor.name} is neither counter nor histogram`);
          const { boundaries } = value.buckets as { boundaries: number[] };
          return { attributes, count: value.count, sum: value.sum ?? 0, buckets: boundaries };
        });
        return [descriptor.name, { unit: descriptor.unit, points }];
      }),
    );
  }
}
