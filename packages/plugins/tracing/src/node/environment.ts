/** The standard variables that the SDK's parts do not read by themselves. */
type Env = Readonly<Record<string, string | undefined>>;

const value = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

const words = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.toLowerCase()
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** What `OTEL_*` variables ask for. Code comes before them; `OTEL_SDK_DISABLED` comes before code. */
export interface Environment {
  /** `OTEL_SDK_DISABLED=true`. */
  readonly disabled: boolean;
  /** `OTEL_TRACES_EXPORTER`: `otlp`, `console`, `none`. */
  readonly tracesExporters: readonly string[] | undefined;
  /** `OTEL_METRICS_EXPORTER`: `otlp`, `none`. */
  readonly metricsExporters: readonly string[] | undefined;
  /** `OTEL_PROPAGATORS`. */
  readonly propagators: readonly string[] | undefined;
  /** `OTEL_LOG_LEVEL`: what the SDK says of itself on standard error. */
  readonly logLevel: string | undefined;
  /** `OTEL_METRIC_EXPORT_INTERVAL` and `OTEL_METRIC_EXPORT_TIMEOUT`, in milliseconds. */
  readonly metricInterval: number | undefined;
  readonly metricTimeout: number | undefined;
  /** `OTEL_EXPORTER_OTLP_PROTOCOL`, or that of the traces. */
  readonly protocol: string | undefined;
  /** Where signals go, by the variables of each and of both. */
  readonly tracesEndpoint: string | undefined;
  readonly metricsEndpoint: string | undefined;
  /** Values of `OTEL_EXPORTER_OTLP_*HEADERS`. */
  readonly headers: readonly string[];
}

export function readEnvironment(env: Env): Environment {
  const milliseconds = (name: string): number | undefined => {
    const number = Number(value(env, name) ?? Number.NaN);
    return Number.isSafeInteger(number) && number > 0 ? number : undefined;
  };
  const forSignal = (signal: string, option: string): string | undefined =>
    value(env, `OTEL_EXPORTER_OTLP_${signal}_${option}`) ?? value(env, `OTEL_EXPORTER_OTLP_${option}`);
  return {
    disabled: value(env, "OTEL_SDK_DISABLED")?.toLowerCase() === "true",
    tracesExporters: words(value(env, "OTEL_TRACES_EXPORTER")),
    metricsExporters: words(value(env, "OTEL_METRICS_EXPORTER")),
    propagators: words(value(env, "OTEL_PROPAGATORS")),
    logLevel: value(env, "OTEL_LOG_LEVEL")?.toUpperCase(),
    metricInterval: milliseconds("OTEL_METRIC_EXPORT_INTERVAL"),
    metricTimeout: milliseconds("OTEL_METRIC_EXPORT_TIMEOUT"),
    protocol: forSignal("TRACES", "PROTOCOL"),
    tracesEndpoint: forSignal("TRACES", "ENDPOINT"),
    metricsEndpoint: forSignal("METRICS", "ENDPOINT"),
    headers: ["", "TRACES_", "METRICS_"].flatMap((signal) => {
      const list = value(env, `OTEL_EXPORTER_OTLP_${signal}HEADERS`);
      return list === undefined ? [] : list.split(",").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
    }),
  };
}
