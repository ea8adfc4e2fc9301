import type { Signal } from "./export/endpoint.js";

/** The environment variables. */
type Env = Readonly<Record<string, string | undefined>>;

const value = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

const words = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.toLowerCase()
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

/**
 * The `OTEL_*` variables that the SDK does not read. Options in code take precedence over all of them except
 * `OTEL_SDK_DISABLED`.
 */
export interface Environment {
  /** `OTEL_SDK_DISABLED=true`. */
  readonly disabled: boolean;
  /** `OTEL_TRACES_EXPORTER`: `otlp`, `console`, `none`. For metrics and logs: `otlp`, `none`. */
  readonly exporters: PerSignal<readonly string[]>;
  /** `OTEL_PROPAGATORS`. */
  readonly propagators: readonly string[] | undefined;
  /** `OTEL_LOG_LEVEL`: the level of the SDK's diagnostics on standard error. */
  readonly logLevel: string | undefined;
  /** `OTEL_METRIC_EXPORT_INTERVAL` and `OTEL_METRIC_EXPORT_TIMEOUT`, in milliseconds. */
  readonly metricInterval: number | undefined;
  readonly metricTimeout: number | undefined;
  /** `OTEL_BSP_MAX_QUEUE_SIZE`, in spans. */
  readonly mostWaiting: number | undefined;
  /** `OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT`, or the limit for all signals, in characters. */
  readonly spanValueLength: number | undefined;
  /** `OTEL_BLRP_*` and `OTEL_LOGRECORD_*`: the batching and size limits of log records. */
  readonly logs: LogVariables;
  /** The protocol of each signal, from its variable or the one for all signals. */
  readonly protocols: PerSignal<string>;
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: the address of the collector. */
  readonly endpoint: string | undefined;
  /** `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` and those of metrics and logs: the complete address of a signal. */
  readonly endpoints: PerSignal<string>;
  /** Values of `OTEL_EXPORTER_OTLP_*HEADERS`. */
  readonly headers: readonly string[];
}

type PerSignal<T> = Readonly<Record<Signal, T | undefined>>;

interface LogVariables {
  readonly scheduledDelayMillis?: number;
  readonly exportTimeoutMillis?: number;
  readonly maxQueueSize?: number;
  readonly maxExportBatchSize?: number;
  readonly limits: { readonly attributeCountLimit?: number; readonly attributeValueLengthLimit?: number };
}

const perSignal = <T>(read: (signal: string) => T | undefined): PerSignal<T> => ({
  traces: read("TRACES"),
  metrics: read("METRICS"),
  logs: read("LOGS"),
});

/** Returns the members that have a value. */
function defined<K extends string>(members: Record<K, number | undefined>): Partial<Record<K, number>> {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as Partial<
    Record<K, number>
  >;
}

export function readEnvironment(env: Env): Environment {
  const positive = (name: string): number | undefined => {
    const number = Number(value(env, name) ?? Number.NaN);
    return Number.isSafeInteger(number) && number > 0 ? number : undefined;
  };
  const otlp = (signal: string, option: string): string | undefined =>
    value(env, `OTEL_EXPORTER_OTLP_${signal}_${option}`) ?? value(env, `OTEL_EXPORTER_OTLP_${option}`);
  return {
    disabled: value(env, "OTEL_SDK_DISABLED")?.toLowerCase() === "true",
    exporters: perSignal((signal) => words(value(env, `OTEL_${signal}_EXPORTER`))),
    propagators: words(value(env, "OTEL_PROPAGATORS")),
    logLevel: value(env, "OTEL_LOG_LEVEL")?.toUpperCase(),
    metricInterval: positive("OTEL_METRIC_EXPORT_INTERVAL"),
    metricTimeout: positive("OTEL_METRIC_EXPORT_TIMEOUT"),
    mostWaiting: positive("OTEL_BSP_MAX_QUEUE_SIZE"),
    spanValueLength:
      positive("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT") ?? positive("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"),
    logs: {
      ...defined({
        scheduledDelayMillis: positive("OTEL_BLRP_SCHEDULE_DELAY"),
        exportTimeoutMillis: positive("OTEL_BLRP_EXPORT_TIMEOUT"),
        maxQueueSize: positive("OTEL_BLRP_MAX_QUEUE_SIZE"),
        maxExportBatchSize: positive("OTEL_BLRP_MAX_EXPORT_BATCH_SIZE"),
      }),
      limits: defined({
        attributeCountLimit: positive("OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT"),
        attributeValueLengthLimit: positive("OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT"),
      }),
    },
    protocols: perSignal((signal) => otlp(signal, "PROTOCOL")?.toLowerCase()),
    endpoint: value(env, "OTEL_EXPORTER_OTLP_ENDPOINT"),
    endpoints: perSignal((signal) => value(env, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)),
    headers: ["", "TRACES_", "METRICS_", "LOGS_"].flatMap((signal) => {
      const list = value(env, `OTEL_EXPORTER_OTLP_${signal}HEADERS`);
      return list === undefined ? [] : list.split(",").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
    }),
  };
}
