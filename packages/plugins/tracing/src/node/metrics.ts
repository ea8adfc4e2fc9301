import { createNoopMeter, type MeterProvider, metrics } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { TracingError } from "../errors.js";
import { divertChunkTimes } from "../metrics/chunk-times.js";
import { ChunkHistogram } from "./chunk-histogram.js";
import { endpointFor, exporterFor, type WayOut } from "./export/otlp.js";
import { peer } from "./peer.js";
import type { MetricsExit } from "./redact/metrics.js";

type Sdk = typeof import("@opentelemetry/sdk-metrics");
type Json = typeof import("@opentelemetry/exporter-metrics-otlp-http");
type Protobuf = typeof import("@opentelemetry/exporter-metrics-otlp-proto");
type PushExporter = import("@opentelemetry/sdk-metrics").PushMetricExporter;

/** The options of the export of metrics. */
export interface MetricsOptions {
  /** Milliseconds between two exports. Default `OTEL_METRIC_EXPORT_INTERVAL`, otherwise 60,000. */
  readonly interval?: number;
}

/** The used parts of the SDK's provider: compiling with this package must not need the types of an optional peer. */
export interface SdkMeterProvider extends MeterProvider {
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

const INTERVAL = 60_000;
const TIMEOUT = 30_000;

/**
 * Registers a meter provider if metrics have an endpoint, and returns it. Returns `undefined` otherwise, or if the
 * program has already registered one.
 *
 * @param option the option. `false` disables metrics. If `undefined`, missing packages are ignored. Otherwise they are
 * an error.
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function startMetrics(
  option: boolean | MetricsOptions | undefined,
  way: WayOut,
  resource: Resource,
  exit: MetricsExit | undefined,
): SdkMeterProvider | undefined {
  if (option === false || metrics.getMeter("@suite/tracing") !== createNoopMeter()) return undefined;
  const { metricInterval, metricTimeout } = way.environment;
  const { interval = metricInterval ?? INTERVAL } = typeof option === "object" ? option : {};
  if (!(interval > 0)) {
    throw new TracingError(
      "ERR_TRACING_INVALID_OPTION",
      "setupTracing({ metrics: { interval } }): use milliseconds greater than 0.",
    );
  }
  const endpoint = endpointFor("metrics", way);
  if (endpoint === undefined) return undefined;
  const sdk = peer<Sdk>("@opentelemetry/sdk-metrics");
  const exporter =
    sdk &&
    exporterFor<Parameters<PushExporter["export"]>[0], PushExporter>("metrics", endpoint, way, {
      json: () => peer<Json>("@opentelemetry/exporter-metrics-otlp-http")?.OTLPMetricExporter,
      protobuf: () => peer<Protobuf>("@opentelemetry/exporter-metrics-otlp-proto")?.OTLPMetricExporter,
    })?.exporter;
  if (sdk === undefined || exporter === undefined) {
    if (option === undefined) return undefined;
    throw new TracingError(
      "ERR_TRACING_INVALID_OPTION",
      "setupTracing({ metrics }): install @opentelemetry/sdk-metrics and @opentelemetry/exporter-metrics-otlp-http.",
    );
  }
  if (exit !== undefined) {
    const send = exporter.export.bind(exporter);
    exporter.export = (batch, done) => send(exit.batch(batch), done);
  }
  const view = exit?.view;
  const process = view?.attributesProcessors[0]?.process;
  const chunks = new ChunkHistogram(
    sdk,
    exporter.selectAggregationTemporality?.(sdk.InstrumentType.HISTOGRAM),
    process,
  );
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter,
    metricProducers: [chunks],
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(metricTimeout ?? TIMEOUT, interval),
  });
  const provider = new sdk.MeterProvider({ resource, readers: [reader], ...(view && { views: [view] }) });
  divertChunkTimes(provider, chunks.times);
  metrics.setGlobalMeterProvider(provider);
  return provider;
}
