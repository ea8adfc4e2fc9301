import {
  type Counter,
  createNoopMeter,
  type Histogram,
  type Meter,
  type MeterProvider,
  metrics,
  ValueType,
} from "@opentelemetry/api";
import { SCHEMA_URL } from "../attributes/semconv.js";
import { SCOPE, VERSION } from "../version.js";
import { type ChunkTimes, divertedChunkTimes } from "./chunk-times.js";
import { COUNTER, HISTOGRAM, PREVIOUS_HISTOGRAM, SUITE_HISTOGRAM, TOKEN_UNIT } from "./names.js";

const { timePerOutputChunk, ...others } = HISTOGRAM;
const histograms = { ...others, ...PREVIOUS_HISTOGRAM, ...SUITE_HISTOGRAM };

/** The instruments of one meter. */
export type Instruments = Readonly<
  Record<keyof typeof histograms, Histogram> & Record<keyof typeof COUNTER, Counter>
> & {
  /** `gen_ai.client.inference.time_per_output_chunk` */
  readonly chunkTimes: ChunkTimes;
};

/** The description of a histogram. */
interface Described {
  readonly name: string;
  readonly unit: string;
  readonly buckets: readonly number[];
  readonly integer: boolean;
}

function histogramOf(meter: Meter, { name, unit, buckets, integer }: Described): Histogram {
  const valueType = integer ? ValueType.INT : ValueType.DOUBLE;
  return meter.createHistogram(name, { unit, valueType, advice: { explicitBucketBoundaries: [...buckets] } });
}

function recordingChunkTimes(meter: Meter): ChunkTimes {
  const histogram = histogramOf(meter, timePerOutputChunk);
  return (attributes) => (seconds) => histogram.record(seconds, attributes);
}

function instrumentsOf(meter: Meter, chunkTimes: ChunkTimes | undefined): Instruments {
  const histogramEntries = Object.entries(histograms).map(([key, described]) => [key, histogramOf(meter, described)]);
  const counters = Object.entries(COUNTER).map(([key, name]) => [
    key,
    meter.createCounter(name, { unit: TOKEN_UNIT, valueType: ValueType.INT }),
  ]);
  return {
    ...(Object.fromEntries([...histogramEntries, ...counters]) as Omit<Instruments, "chunkTimes">),
    chunkTimes: chunkTimes ?? recordingChunkTimes(meter),
  };
}

/**
 * Returns a function for the instruments of this scope. It returns `undefined` while no meter provider is registered,
 * and nothing is measured. It is called once per call, so that a provider registered later is found, and costs one
 * comparison if nothing changed.
 */
export function instrumentSource(fixed?: MeterProvider): () => Instruments | undefined {
  let seen: MeterProvider | undefined;
  let instruments: Instruments | undefined;
  return () => {
    const provider = fixed ?? metrics.getMeterProvider();
    if (provider === seen) return instruments;
    seen = provider;
    const meter = provider.getMeter(SCOPE, VERSION, { schemaUrl: SCHEMA_URL });
    instruments = meter === createNoopMeter() ? undefined : instrumentsOf(meter, divertedChunkTimes(provider));
    return instruments;
  };
}
