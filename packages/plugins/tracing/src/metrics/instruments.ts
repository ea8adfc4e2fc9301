import {
  type Counter,
  createNoopMeter,
  type Histogram,
  type Meter,
  type MeterProvider,
  metrics,
  ValueType,
} from "@opentelemetry/api";
import { SCHEMA_URL } from "../semconv.js";
import { SCOPE, VERSION } from "../version.js";
import { COUNTER, HISTOGRAM, TOKEN_UNIT } from "./names.js";

/** The instruments of one meter. */
export type Instruments = Readonly<Record<keyof typeof HISTOGRAM, Histogram> & Record<keyof typeof COUNTER, Counter>>;

function instrumentsOf(meter: Meter): Instruments {
  const histograms = Object.entries(HISTOGRAM).map(([key, { name, unit, buckets, whole }]) => {
    const valueType = whole ? ValueType.INT : ValueType.DOUBLE;
    return [key, meter.createHistogram(name, { unit, valueType, advice: { explicitBucketBoundaries: [...buckets] } })];
  });
  const counters = Object.entries(COUNTER).map(([key, name]) => [
    key,
    meter.createCounter(name, { unit: TOKEN_UNIT, valueType: ValueType.INT }),
  ]);
  return Object.fromEntries([...histograms, ...counters]) as Instruments;
}

/**
 * Gives the instruments of this scope, or undefined while no meter provider is registered: the sign to measure
 * nothing. Asked once per call, so that a provider registered later is noticed; one comparison where nothing changed.
 */
export function instrumentSource(fixed?: MeterProvider): () => Instruments | undefined {
  let seen: MeterProvider | undefined;
  let instruments: Instruments | undefined;
  return () => {
    const provider = fixed ?? metrics.getMeterProvider();
    if (provider === seen) return instruments;
    seen = provider;
    const meter = provider.getMeter(SCOPE, VERSION, { schemaUrl: SCHEMA_URL });
    instruments = meter === createNoopMeter() ? undefined : instrumentsOf(meter);
    return instruments;
  };
}
