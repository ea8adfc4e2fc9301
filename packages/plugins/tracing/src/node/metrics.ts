import { createRequire } from "node:module";
import { createNoopMeter, type MeterProvider, metrics } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { TracingError } from "../errors.js";
import type { Environment } from "./environment.js";
import { type Destination, endpointFor, exporterOptions } from "./otlp.js";
import { tellingFailure, type Warnings } from "./warnings.js";

/** How metrics leave this process. */
export interface MetricsOptions {
  /** Milliseconds between two exports. Default `OTEL_METRIC_EXPORT_INTERVAL`, else 60,000. */
  readonly interval?: number;
}

/** The parts of the SDK's provider that are used: types of an optional peer must not be needed to compile with this one. */
export interface OwnMeterProvider extends MeterProvider {
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

interface Packages {
  readonly sdk: typeof import("@opentelemetry/sdk-metrics");
  readonly otlp: typeof import("@opentelemetry/exporter-metrics-otlp-http");
}

/** The optional peers; undefined where one is not installed. Loaded only here, so that nobody else needs them. */
function packages(): Packages | undefined {
  const require = createRequire(import.meta.url);
  try {
    return {
      sdk: require("@opentelemetry/sdk-metrics") as Packages["sdk"],
      otlp: require("@opentelemetry/exporter-metrics-otlp-http") as Packages["otlp"],
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

const INTERVAL = 60_000;
const TIMEOUT = 30_000;

/**
 * A registered meter provider, where metrics have somewhere to go; undefined elsewhere, and where the program has one.
 *
 * @param asked `false` for none; `undefined` for what is possible; else what is missing is an error.
 * @throws TracingError `ERR_INVALID_OPTION`
 */
export function startMetrics(
  asked: boolean | MetricsOptions | undefined,
  destination: Destination,
  resource: Resource,
  environment: Environment,
  warnings: Warnings,
): OwnMeterProvider | undefined {
  if (asked === false || metrics.getMeter("@suite/tracing") !== createNoopMeter()) return undefined;
  const { interval = environment.metricInterval ?? INTERVAL } = typeof asked === "object" ? asked : {};
  if (!(interval > 0)) {
    throw new TracingError("ERR_INVALID_OPTION", "setupTracing({ metrics: { interval } }): use milliseconds, above 0.");
  }
  const endpoint = endpointFor("metrics", destination, environment, warnings);
  if (endpoint === undefined) return undefined;
  const installed = packages();
  if (installed === undefined) {
    if (asked === undefined) return undefined;
    throw new TracingError(
      "ERR_INVALID_OPTION",
      "setupTracing({ metrics }): install @opentelemetry/sdk-metrics and @opentelemetry/exporter-metrics-otlp-http.",
    );
  }
  const { sdk, otlp } = installed;
  warnings.inTheClear(endpoint);
  const exporter = tellingFailure(new otlp.OTLPMetricExporter(exporterOptions(endpoint, destination)), () =>
    warnings.unreachable("metrics", endpoint),
  );
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(environment.metricTimeout ?? TIMEOUT, interval),
  });
  const provider = new sdk.MeterProvider({ resource, readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  return provider;
}
