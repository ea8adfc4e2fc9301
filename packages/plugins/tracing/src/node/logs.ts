import type { Resource } from "@opentelemetry/resources";
import { TracingError } from "../errors.js";
import { type EventLoggerProvider, registeredLoggerProvider } from "../logs/logger.js";
import { boundedLogs } from "./export/bounded-logs.js";
import { endpointFor, exporterFor, type WayOut } from "./export/otlp.js";
import { peer } from "./peer.js";
import type { LogExporter } from "./redact/log-exporter.js";

type Api = typeof import("@opentelemetry/api-logs");
type Sdk = typeof import("@opentelemetry/sdk-logs");
type Json = typeof import("@opentelemetry/exporter-logs-otlp-http");
type Protobuf = typeof import("@opentelemetry/exporter-logs-otlp-proto");

/** The options of the export of log records. */
export interface LogsOptions {
  /** Milliseconds between two exports. Default `OTEL_BLRP_SCHEDULE_DELAY`, otherwise 1,000. */
  readonly interval?: number;
}

/** The used parts of the SDK's provider: compiling with this package must not need the types of an optional peer. */
interface SdkLoggerProvider extends EventLoggerProvider {
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/** A logger provider with functions to register and disable it. */
export interface StartedLogs {
  readonly provider: SdkLoggerProvider;
  register(): void;
  disable(): void;
}

const NEEDED = "@opentelemetry/api-logs, @opentelemetry/sdk-logs and @opentelemetry/exporter-logs-otlp-http, or -proto";

/**
 * Creates a logger provider if log records are requested and have an endpoint. Returns `undefined` otherwise, or if the
 * program has already registered one.
 *
 * @param option the option. If it is set, a missing package is an error. If `undefined`, `OTEL_LOGS_EXPORTER` decides.
 * @param guarded wraps the exporter with redaction and cuts long values. The SDK must not cut them before.
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function makeLogs(
  option: boolean | LogsOptions | undefined,
  way: WayOut,
  resource: Resource,
  guarded: ((exporter: LogExporter) => LogExporter) | undefined,
): StartedLogs | undefined {
  const { exporters, logs: variables } = way.environment;
  const wanted = option ?? exporters.logs?.includes("otlp") === true;
  if (wanted === false || registeredLoggerProvider() !== undefined) return undefined;
  const { interval = variables.scheduledDelayMillis } = typeof option === "object" ? option : {};
  if (interval !== undefined && !(interval > 0)) {
    throw new TracingError(
      "ERR_TRACING_INVALID_OPTION",
      "setupTracing({ logs: { interval } }): use milliseconds greater than 0.",
    );
  }
  const endpoint = endpointFor("logs", way);
  if (endpoint === undefined) return undefined;
  const api = peer<Api>("@opentelemetry/api-logs");
  const sdk = peer<Sdk>("@opentelemetry/sdk-logs");
  const exporter =
    api &&
    sdk &&
    exporterFor<Parameters<LogExporter["export"]>[0], LogExporter>("logs", endpoint, way, {
      json: () => peer<Json>("@opentelemetry/exporter-logs-otlp-http")?.OTLPLogExporter,
      protobuf: () => peer<Protobuf>("@opentelemetry/exporter-logs-otlp-proto")?.OTLPLogExporter,
    })?.exporter;
  if (api === undefined || sdk === undefined || exporter === undefined) {
    if (option !== undefined) {
      throw new TracingError("ERR_TRACING_INVALID_OPTION", `setupTracing({ logs }): install ${NEEDED}.`);
    }
    way.warnings.once(`OTEL_LOGS_EXPORTER enables log records, but none are sent. Install ${NEEDED}.`);
    return undefined;
  }
  const { limits, ...batch } = variables;
  const bounds = { mostWaiting: batch.maxQueueSize, dropped: () => way.warnings.logsDropped() };
  const processor = boundedLogs(
    guarded?.(exporter) ?? exporter,
    bounds,
    (counting) =>
      new sdk.BatchLogRecordProcessor({
        ...batch,
        exporter: counting,
        ...(interval !== undefined && { scheduledDelayMillis: interval }),
      }),
  );
  const logRecordLimits =
    guarded === undefined ? limits : { ...limits, attributeValueLengthLimit: Number.POSITIVE_INFINITY };
  const provider = new sdk.LoggerProvider({ resource, processors: [processor], logRecordLimits });
  return {
    provider,
    register: () => api.logs.setGlobalLoggerProvider(provider),
    disable: () => api.logs.disable(),
  };
}
