import { describe, expect, it } from "@jest/globals";
import type { Attributes } from "@opentelemetry/api";
import * as sdk from "@opentelemetry/sdk-metrics";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { HISTOGRAM } from "../src/metrics/names.js";
import { ChunkHistogram } from "../src/node/chunk-histogram.js";
import { metricsExit } from "../src/node/redact/metrics.js";

const { name, unit, buckets } = HISTOGRAM.timePerOutputChunk;
const { CUMULATIVE, DELTA } = sdk.AggregationTemporality;

/** A sum depends on the order in which it was added up, in its last digits. */
const rounded = (value: unknown) => {
  const { sum = 0, ...others } = value as sdk.Histogram;
  return { ...others, sum: Number(sum.toPrecision(12)) };
};

/** Takes what a reader collects, when it is told to. */
function collecting(temporality: sdk.AggregationTemporality, producer?: sdk.MetricProducer) {
  const exporter = new sdk.InMemoryMetricExporter(temporality);
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: 1e9,
    ...(producer && { metricProducers: [producer] }),
  });
  const provider = new sdk.MeterProvider({ readers: [reader] });
  /** The points of the metric in the next collection, times left out, by their attributes. */
  const collect = async () => {
    exporter.reset();
    await reader.forceFlush();
    const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    return metrics
      .filter(({ descriptor }) => descriptor.name === name)
      .flatMap(({ dataPoints }) => dataPoints.map(({ attributes, value }) => ({ attributes, value: rounded(value) })))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  };
  return { provider, collect };
}

const attributes = fc.constantFrom<Attributes>({ a: "x", n: 1 }, { n: 1, a: "x" }, { a: "y" }, {});
const seconds = fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constantFrom(...buckets));
const rounds = fc.array(fc.array(fc.tuple(attributes, seconds), { maxLength: 20 }), { minLength: 1, maxLength: 4 });

describe("the histogram of chunks", () => {
  it.each([
    ["cumulative", CUMULATIVE],
    ["of differences", DELTA],
  ])("equals the SDK's own histogram in each collection: %s", async (_, temporality) => {
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        const ours = new ChunkHistogram(sdk, temporality);
        const [mine, theirs] = [collecting(temporality, ours), collecting(temporality)];
        const advice = { explicitBucketBoundaries: [...buckets] };
        const histogram = theirs.provider.getMeter("theirs").createHistogram(name, { unit, advice });
        const told = new Map<Attributes, (value: number) => void>();
        for (const round of all) {
          for (const [given, value] of round) {
            // As answers do that stream on while there are collections.
            const tell = told.get(given) ?? ours.times(given);
            told.set(given, tell);
            tell(value);
            histogram.record(value, given);
          }
          expect(await mine.collect()).toEqual(await theirs.collect());
        }
        await Promise.all([mine.provider.shutdown(), theirs.provider.shutdown()]);
      }),
      { numRuns: runs(50) },
    );
  });

  it("says since when and until when it counts, and what it is", async () => {
    const ours = new ChunkHistogram(sdk, CUMULATIVE);
    ours.times({})(0.5);
    const { resourceMetrics } = await ours.collect();
    const [metric] = resourceMetrics.scopeMetrics[0]?.metrics ?? [];
    expect(metric).toMatchObject({ descriptor: { name, unit }, aggregationTemporality: CUMULATIVE });
    const [point] = metric?.dataPoints ?? [];
    const at = ([whole, nanoseconds]: readonly [number, number] = [0, 0]): number => whole + nanoseconds / 1e9;
    expect(Math.abs(at(point?.endTime) - Date.now() / 1000)).toBeLessThan(60);
    expect(at(point?.endTime)).toBeGreaterThanOrEqual(at(point?.startTime));
  });

  it("holds no more series than the SDK would, and loses no value", async () => {
    const ours = new ChunkHistogram(sdk, CUMULATIVE);
    for (let i = 0; i < 3000; i++) ours.times({ model: `m${i}` })(1);
    const points = await collecting(CUMULATIVE, ours).collect();
    expect(points).toHaveLength(2000);
    const counts = points.map(({ value }) => value.count);
    expect(counts.reduce((sum, count) => sum + count)).toBe(3000);
    expect(points.some((point) => point.attributes["otel.metric.overflow"] === true)).toBe(true);
  });

  it("has its attributes redacted as those of all metrics are", async () => {
    const redact = (text: string): string => text.replace("jane@x.com", "[EMAIL]");
    const { view } = metricsExit({ redact, value: (value) => value }, {});
    const ours = new ChunkHistogram(sdk, CUMULATIVE, view.attributesProcessors[0]?.process);
    ours.times({ "gen_ai.request.model": "jane@x.com" })(1);
    const [point] = await collecting(CUMULATIVE, ours).collect();
    expect(point?.attributes).toEqual({ "gen_ai.request.model": "[EMAIL]" });
  });
});
