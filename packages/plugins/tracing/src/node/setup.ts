import { context, type MeterProvider, metrics, propagation, trace } from "@opentelemetry/api";
import { NodeTracerProvider, type Sampler, type SpanExporter, type SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Redactor } from "@suite/core";
import { any, type Check, callable } from "@suite/kit/options";
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

/** The options of `setupTracing`. */
export interface SetupOptions {
  /** `service.name`: the name in a backend. Default `OTEL_SERVICE_NAME`. */
  readonly serviceName?: string;
  /** The version of the service (`service.version`). */
  readonly serviceVersion?: string;
  /**
   * A collector's address for OTLP over HTTP, such as `http://localhost:4318`. Default: the standard variables
   * `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` and `OTEL_EXPORTER_OTLP_ENDPOINT` (`…_METRICS_ENDPOINT` for metrics). Without
   * an address nothing is sent.
   */
  readonly endpoint?: string;
  /** Headers of each export request, for example for authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Redacts every span, measurement and log record of the process at export, whichever instrumentation created it. For
   * example `pii().redactor`.
   */
  readonly redactor?: Redactor;
  /** Attribute keys that are not redacted, such as `net.peer.name`. */
  readonly exempt?: readonly string[];
  /** Further exporters, each with a batch processor. */
  readonly exporters?: readonly SpanExporter[];
  /** Further processors. */
  readonly processors?: readonly SpanProcessor[];
  /** Prints each finished trace as a tree on the terminal. */
  readonly consoleTree?: boolean | ConsoleTreeOptions;
  /** Selects the runs that are recorded. Default: the sampler of `OTEL_TRACES_SAMPLER`. */
  readonly sampler?: Sampler;
  /**
   * Sends metrics by OTLP over HTTP to the same collector. Default: true if `@opentelemetry/sdk-metrics` and
   * `@opentelemetry/exporter-metrics-otlp-http` are installed, there is an endpoint, and no meter provider is
   * registered.
   */
  readonly metrics?: boolean | MetricsOptions;
  /**
   * Sends log records by OTLP over HTTP to the same collector, for `tracing({ events: "log" })` and for log bridges.
   * Needs `@opentelemetry/api-logs`, `@opentelemetry/sdk-logs` and `@opentelemetry/exporter-logs-otlp-http`. Ignored if
   * a logger provider is registered. Default: true if `OTEL_LOGS_EXPORTER` is `otlp`.
   */
  readonly logs?: boolean | LogsOptions;
  /**
   * The encoding of all signals. Protobuf needs `@opentelemetry/exporter-trace-otlp-proto` and the same packages for
   * metrics and logs. Default: `OTEL_EXPORTER_OTLP_PROTOCOL` or the variable of the signal, otherwise JSON, with
   * protobuf for a receiver that answers 415.
   */
  readonly protocol?: OtlpProtocol;
  /**
   * Sends the remaining data when the process is idle and on SIGTERM and SIGINT. An uncaught error sends only the
   * spans. The program's handlers run as usual. `process.exit()` does not wait. Default true.
   */
  readonly flushOnExit?: boolean;
  /**
   * Called once with each warning, for example if spans do not arrive or `setupTracing` was called again. Default
   * `console.warn`.
   */
  readonly warn?: (message: string) => void;
}

/**
 * All option names, to reject misspelt ones, above all a misspelt `redactor`. Values are checked where they are used.
 */
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
  /** The meter provider. `undefined` if no metrics are sent. */
  readonly meterProvider: MeterProvider | undefined;
  /** The logger provider. `undefined` if no log records are sent. */
  readonly loggerProvider: EventLoggerProvider | undefined;
  /**
   * Sends the finished data, or drops it after the exporter's timeout. Never rejects. Await it before a serverless
   * handler returns.
   */
  flush(): Promise<void>;
  /** Sends the finished data or drops it, and stops tracing. Never rejects. */
  shutdown(): Promise<void>;
}

/**
 * Registers OpenTelemetry for a program that does not use it yet: providers, context by `AsyncLocalStorage`, OTLP over
 * HTTP.
 *
 * Reads the standard `OTEL_*` variables. With `OTEL_SDK_DISABLED=true` nothing is registered.
 *
 * A second call for the same service, as a dev server makes when it reloads a module, returns the first set-up and
 * warns.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`; `ERR_TRACING_PROVIDER_REGISTERED` if another provider is
 * registered; `ERR_TRACING_SDK_VERSION` if the SDK is of version 1.
 *
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
      "setupTracing(): a tracer provider is already registered. tracing() uses it unchanged; add exporters there, wrapped in redactingExporter() if you have a redactor.",
    );
  }
  const way: WayOut = { destination: options, environment, warnings };
  const { redactor } = options;
  const provider = new NodeTracerProvider({
    resource,
    idGenerator: compensatingIdGenerator(),
    spanProcessors: processorsOf(options, way),
    ...(options.sampler && { sampler: options.sampler }),
    // Values are cut after redaction, since half a value would not be recognised.
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

  // Spans are sent first, so that an outage is reported for them. Failures are warnings and never thrown: a program
  // must not fail because its telemetry fails.
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

/** Returns the options for W3C trace context and baggage, or for no propagator if `OTEL_PROPAGATORS` is `none`. */
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
