import { context, type MeterProvider, metrics, propagation, trace } from "@opentelemetry/api";
import { NodeTracerProvider, type Sampler, type SpanExporter, type SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Redactor } from "@suite/core";
import { any, type Check, callable } from "@suite/core/options";
import { checkOptions, TracingError } from "../errors.js";
import type { EventLoggerProvider } from "../logs/logger.js";
import { tracerSource } from "../tracer.js";
import { type ConsoleTreeOptions, consoleTree } from "./console/console-tree.js";
import { logDiagnostics } from "./diagnostics.js";
import { type Environment, readEnvironment } from "./environment.js";
import { BoundedBatch } from "./export/bounded-batch.js";
import { spanExporter, type WayOut } from "./export/otlp.js";
import type { OtlpProtocol } from "./export/protocol.js";
import { firstSetup, forgetFirst, keepFirst } from "./first.js";
import { compensatingIdGenerator } from "./id-generator.js";
import { type LogsOptions, makeLogs } from "./logs.js";
import { type MetricsOptions, startMetrics } from "./metrics.js";
import { flushOnExit } from "./on-exit.js";
import type { ExitOptions } from "./redact/exit-redactor.js";
import { redactingLogExporter } from "./redact/log-exporter.js";
import { metricsExit } from "./redact/metrics.js";
import { redactingProcessor } from "./redact/processor.js";
import { secretsOf } from "./redact/secrets.js";
import { redactingExporter } from "./redact/span-exporter.js";
import { resourceOf } from "./resource.js";
import { Warnings } from "./warnings.js";

/** The options by which this process sends its spans and metrics. */
export interface SetupOptions {
  /** `service.name`: what a backend lists it under. Default `OTEL_SERVICE_NAME`. */
  readonly serviceName?: string;
  readonly serviceVersion?: string;
  /**
   * A collector's address for OTLP over HTTP, such as `http://localhost:4318`. Default: the standard variables
   * `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` and `OTEL_EXPORTER_OTLP_ENDPOINT` (`…_METRICS_ENDPOINT` for metrics). With
   * none, nothing is sent.
   */
  readonly endpoint?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Every span, measurement and log record of the process passes through it on its way out, whoever made it: `pii().redactor`. */
  readonly redactor?: Redactor;
  /** Attribute keys that the redactor leaves alone, such as `net.peer.name`. */
  readonly exempt?: readonly string[];
  /** Further exporters, each behind a batch processor. */
  readonly exporters?: readonly SpanExporter[];
  /** Further processors. */
  readonly processors?: readonly SpanProcessor[];
  /** Shows each finished trace as a tree on the terminal. */
  readonly consoleTree?: boolean | ConsoleTreeOptions;
  /** Default: what `OTEL_TRACES_SAMPLER` says. */
  readonly sampler?: Sampler;
  /**
   * Metrics by OTLP over HTTP to the same collector. Default: where `@opentelemetry/sdk-metrics` and
   * `@opentelemetry/exporter-metrics-otlp-http` are installed, there is an endpoint, and no meter provider is registered.
   */
  readonly metrics?: boolean | MetricsOptions;
  /**
   * Log records by OTLP over HTTP to the same collector, where `@opentelemetry/api-logs`, `@opentelemetry/sdk-logs` and
   * `@opentelemetry/exporter-logs-otlp-http` are installed and no logger provider is registered: for
   * `tracing({ events: "log" })`, and for log bridges. Default: where `OTEL_LOGS_EXPORTER` is `otlp`.
   */
  readonly logs?: boolean | LogsOptions;
  /**
   * The encoding of all signals. Protobuf takes `@opentelemetry/exporter-trace-otlp-proto` and its sisters for metrics and
   * logs. Default: what `OTEL_EXPORTER_OTLP_PROTOCOL` says, or that of the signal, else JSON, and protobuf for a receiver
   * that answers 415.
   */
  readonly protocol?: OtlpProtocol;
  /**
   * Sends what is left when the process has nothing more to do, on SIGTERM and SIGINT, and of spans also where an error that
   * nobody catches ends it. The program's own handlers run as ever. `process.exit()` waits for nobody. Default true.
   */
  readonly flushOnExit?: boolean;
  /** Is called with a warning, each once: spans do not arrive, or `setupTracing` was called again. Default `console.warn`. */
  readonly warn?: (message: string) => void;
}

/** The options, so that none is misspelt in silence: a redactor above all. Their values are checked where they are used. */
const checks: { readonly [option in keyof Required<SetupOptions>]: Check } = {
  serviceName: any,
  serviceVersion: any,
  endpoint: any,
  headers: any,
  redactor: any,
  exempt: any,
  exporters: any,
  processors: any,
  consoleTree: any,
  sampler: any,
  metrics: any,
  logs: any,
  protocol: any,
  flushOnExit: any,
  warn: callable,
};

/** The tracing of this process. */
export interface TracingSetup {
  readonly provider: NodeTracerProvider;
  /** The provider of meters; undefined where no metrics are sent. */
  readonly meterProvider: MeterProvider | undefined;
  /** The provider of loggers; undefined where no log records are sent. */
  readonly loggerProvider: EventLoggerProvider | undefined;
  /** Sends what has ended, or gives it up after the exporter's time. Never rejects. Await it before a serverless handler returns. */
  flush(): Promise<void>;
  /** Sends what has ended, or gives it up, and stops tracing. Never rejects. */
  shutdown(): Promise<void>;
}

/**
 * Registers OpenTelemetry for a program that has none yet: providers, context by `AsyncLocalStorage`, OTLP over HTTP.
 *
 * Honours the standard `OTEL_*` variables. With `OTEL_SDK_DISABLED=true` nothing is registered.
 *
 * A second call for the same service, as a dev server makes when it reloads a module, returns the first set-up and warns.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`; `ERR_TRACING_PROVIDER_REGISTERED` if another provider is registered;
 * `ERR_TRACING_SDK_VERSION` if the SDK is of version 1.
 * @example
 * ```ts
 * const telemetry = setupTracing({ serviceName: "support", consoleTree: true });
 * // … run agents with plugins: [tracing()] …
 * await telemetry.shutdown();
 * ```
 */
export function setupTracing(options: SetupOptions = {}): TracingSetup {
  options = checkOptions("setupTracing", options, checks);
  const environment = readEnvironment(process.env);
  if (environment.disabled) {
    const provider = new NodeTracerProvider();
    return { provider, meterProvider: undefined, loggerProvider: undefined, flush: nothing, shutdown: nothing };
  }
  const warnings = new Warnings(options.warn ?? console.warn);
  const resource = resourceOf(options.serviceName, options.serviceVersion);
  const first = firstSetup<TracingSetup>(resource);
  if (first !== undefined) {
    warnings.once(
      "setupTracing() was called again for this service. The first call stays in effect, with all of its options. Restart the process to change them.",
    );
    return first;
  }
  if (tracerSource()() !== undefined) {
    throw new TracingError(
      "ERR_TRACING_PROVIDER_REGISTERED",
      "setupTracing(): a tracer provider is registered already. tracing() uses it as it is; add exporters there, wrapped in redactingExporter() where you have a redactor.",
    );
  }
  const way: WayOut = { destination: options, environment, warnings };
  const { redactor } = options;
  const provider = new NodeTracerProvider({
    resource,
    idGenerator: compensatingIdGenerator(),
    spanProcessors: processorsOf(options, way),
    ...(options.sampler && { sampler: options.sampler }),
    // The exit cuts: half a value would not be recognised there.
    ...(redactor && { spanLimits: { attributeValueLengthLimit: Number.POSITIVE_INFINITY } }),
  });
  const { attributeValueLengthLimit } = environment.logs.limits;
  const logs = makeLogs(
    options.logs,
    way,
    resource,
    redactor &&
      ((exporter) => redactingLogExporter(exporter, redactor, { ...exitOptions(options), attributeValueLengthLimit })),
  );
  const meterProvider = startMetrics(
    options.metrics,
    way,
    resource,
    redactor && metricsExit(redactor, exitOptions(options)),
  );
  logs?.register();
  provider.register(propagatorOf(environment, warnings));
  const stopLogging = logDiagnostics(environment.logLevel, secretsFor(options, environment));

  // Spans first: where nobody answers, it is they that people are told of.
  // What fails is warned of, and thrown nowhere: a program does not fail because nobody watches it.
  const flush = async (): Promise<void> => {
    await Promise.allSettled([provider.forceFlush()]);
    await Promise.allSettled([meterProvider?.forceFlush(), logs?.provider.forceFlush()]);
  };
  const flushAtLast = async (): Promise<void> => {
    await flush();
    warnings.lostInAll();
  };
  const stopFlushing = options.flushOnExit === false ? undefined : flushOnExit(flushAtLast);
  const setup: TracingSetup = {
    provider,
    meterProvider,
    loggerProvider: logs?.provider,
    flush,
    async shutdown() {
      forgetFirst(setup);
      stopFlushing?.();
      await Promise.allSettled([provider.shutdown()]);
      trace.disable();
      context.disable();
      propagation.disable();
      if (meterProvider !== undefined) {
        metrics.disable();
        await Promise.allSettled([meterProvider.shutdown()]);
      }
      if (logs !== undefined) {
        logs.disable();
        await Promise.allSettled([logs.provider.shutdown()]);
      }
      warnings.lostInAll();
      stopLogging();
    },
  };
  keepFirst(setup, resource);
  return setup;
}

/** The SDK's default. */
const MOST_WAITING = 2048;

const nothing = async (): Promise<void> => {};

const exitOptions = ({ exempt }: SetupOptions): ExitOptions => (exempt === undefined ? {} : { exempt });

function processorsOf(options: SetupOptions, way: WayOut): SpanProcessor[] {
  const { redactor } = options;
  const { environment, warnings } = way;
  const exit = { ...exitOptions(options), attributeValueLengthLimit: environment.spanValueLength };
  const batch = (exporter: SpanExporter): SpanProcessor =>
    new BoundedBatch(
      redactor === undefined ? exporter : redactingExporter(exporter, redactor, exit),
      warnings,
      environment.mostWaiting ?? MOST_WAITING,
    );
  const redacted = (processor: SpanProcessor): SpanProcessor =>
    redactor === undefined ? processor : redactingProcessor(processor, redactor, exit);

  const processors = [...(options.processors ?? []).map(redacted), ...(options.exporters ?? []).map(batch)];
  const otlp = spanExporter(way);
  if (otlp !== undefined) processors.push(batch(otlp));
  const tree = options.consoleTree ?? environment.exporters.traces?.includes("console") ?? false;
  if (tree !== false) processors.push(redacted(consoleTree(tree === true ? {} : tree)));
  return processors;
}

/** W3C trace context and baggage, unless `OTEL_PROPAGATORS` asks for none. */
function propagatorOf({ propagators }: Environment, warnings: Warnings): { propagator?: null } {
  if (propagators === undefined) return {};
  if (propagators.length === 1 && propagators[0] === "none") return { propagator: null };
  const both = propagators.length === 2 && propagators.includes("tracecontext") && propagators.includes("baggage");
  if (!both)
    warnings.once('OTEL_PROPAGATORS: of its values, "tracecontext,baggage" and "none" are taken. The first is used.');
  return {};
}

const secretsFor = ({ endpoint, headers = {} }: SetupOptions, environment: Environment): readonly string[] =>
  secretsOf(
    [endpoint, environment.endpoint, ...Object.values(environment.endpoints)],
    [...Object.values(headers), ...environment.headers],
  );
