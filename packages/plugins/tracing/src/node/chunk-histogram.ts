import { type Attributes, type HrTime, ValueType } from "@opentelemetry/api";
// Imported as a namespace: version 1 has no `emptyResource`, and this module must load with it.
import * as resources from "@opentelemetry/resources";
import { SCHEMA_URL } from "../attributes/semconv.js";
import type { ChunkTimes } from "../metrics/chunk-times.js";
import { HISTOGRAM } from "../metrics/names.js";
import { SCOPE, VERSION } from "../version.js";

type Sdk = typeof import("@opentelemetry/sdk-metrics");
type Temporality = import("@opentelemetry/sdk-metrics").AggregationTemporality;
type MetricProducer = import("@opentelemetry/sdk-metrics").MetricProducer;
type Collected = Awaited<ReturnType<MetricProducer["collect"]>>;
type Point = import("@opentelemetry/sdk-metrics").DataPoint<import("@opentelemetry/sdk-metrics").Histogram>;

const { name, unit, buckets } = HISTOGRAM.timePerOutputChunk;

/** The SDK's limit of series per instrument. Values above it are added up under one attribute, as in the SDK. */
const MOST_SERIES = 2000;
const OVERFLOW: Attributes = { "otel.metric.overflow": true };

/** The sums of the values of one set of attributes. */
class Series {
  readonly counts = new Array<number>(buckets.length + 1).fill(0);
  count = 0;
  sum = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;

  constructor(
    readonly attributes: Attributes,
    readonly since: HrTime,
  ) {}

  readonly add = (value: number): void => {
    let bucket = 0;
    while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket++;
    (this.counts[bucket] as number)++;
    this.count++;
    this.sum += value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  };

  point(until: HrTime): Point {
    const { attributes, since, counts, count, sum, min, max } = this;
    const value = { buckets: { boundaries: [...buckets], counts: [...counts] }, count, sum, min, max };
    return { attributes, startTime: since, endTime: until, value };
  }
}

/**
 * `gen_ai.client.inference.time_per_output_chunk`, added up here and passed to the SDK when it collects. The SDK's
 * histogram looks up the attributes for every value, and there is one value per chunk.
 */
export class ChunkHistogram implements MetricProducer {
  readonly #sdk: Sdk;
  readonly #temporality: Temporality;
  readonly #processed: (attributes: Attributes) => Attributes;
  #series = new Map<string, Series>();

  constructor(sdk: Sdk, temporality: Temporality | undefined, processed?: (attributes: Attributes) => Attributes) {
    this.#sdk = sdk;
    this.#temporality = temporality ?? sdk.AggregationTemporality.CUMULATIVE;
    this.#processed = processed ?? ((attributes) => attributes);
  }

  readonly times: ChunkTimes = (original) => {
    const attributes = this.#processed(original);
    const key = JSON.stringify(Object.entries(attributes).sort());
    let series = this.#find(key, attributes);
    return (seconds) => {
      // A collection of deltas replaces the series while answers stream.
      if (this.#series.get(key) !== series) series = this.#find(key, attributes);
      series.add(seconds);
    };
  };

  async collect(): Promise<Collected> {
    const now = time();
    const points = [...this.#series.values()].filter(({ count }) => count > 0).map((series) => series.point(now));
    if (this.#temporality === this.#sdk.AggregationTemporality.DELTA) this.#series = new Map();
    const metrics = [
      {
        descriptor: { name, description: "", unit, valueType: ValueType.DOUBLE },
        dataPointType: this.#sdk.DataPointType.HISTOGRAM,
        aggregationTemporality: this.#temporality,
        dataPoints: points,
      } as const,
    ];
    const scopeMetrics =
      points.length === 0 ? [] : [{ scope: { name: SCOPE, version: VERSION, schemaUrl: SCHEMA_URL }, metrics }];
    return { resourceMetrics: { resource: resources.emptyResource(), scopeMetrics }, errors: [] };
  }

  #find(key: string, attributes: Attributes): Series {
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const over = this.#series.size >= MOST_SERIES - 1;
    if (over && attributes !== OVERFLOW) return this.#find(JSON.stringify(Object.entries(OVERFLOW)), OVERFLOW);
    const series = new Series(attributes, time());
    this.#series.set(key, series);
    return series;
  }
}

const time = (): HrTime => {
  const now = Date.now();
  return [Math.trunc(now / 1000), (now % 1000) * 1e6];
};
