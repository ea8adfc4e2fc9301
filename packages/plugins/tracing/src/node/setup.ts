import { context, type MeterProvider, metrics, propagation, trace } from "@opentelemetry/api";
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { Redactor } from "@suite/core";
import { TracingError } from "../errors.js";
import { tracerSource } from "../tracer.js";
import { type ConsoleTreeOptions, consoleTree } from "./console-tree.js";
import { logDiagnostics } from "./diagnostics.js";
import { type Environment, readEnvironment } from "./environment.js";
import { compensatingIdGenerator } from "./id-generator.js";
import { type MetricsOptions, startMetrics } from "./metrics.js";
import { flushOnExit } from "./on-exit.js";
import { spanExporter } from "./otlp.js";
import { redactingExporter, redactingProcessor } from "./redacting-exporter.js";
import { resourceOf } from "./resource.js";
import { secretsOf } from "./secrets.js";
import { Warnings } from "./warnings.js";

/** How this process sends its spans and metrics. */
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
  /** Every span of the process passes through it on its way out, also those of other instrumentations: `pii().redactor`. */
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
   * Sends what is left when the process has nothing more to do, and on SIGTERM and SIGINT. The program's own handlers
   * run as ever. `process.exit()` waits for nobody. Default true.
   */
  readonly flushOnExit?: boolean;
  /** Is told, once each, when spans do not arrive, and what should be changed. Default `console.warn`. */
  readonly warn?: (message: string) => void;
}

/** The tracing of this process. */
export interface TracingSetup {
  readonly provider: NodeTracerProvider;
  /** Undefined where no metrics are sent. */
  readonly meterProvider: MeterProvider | undefined;
  /** Sends what has ended. Await it before a serverless handler returns. */
  flush(): Promise<void>;
  /** Sends what has ended and stops tracing. */
  shutdown(): Promise<void>;
}

/**
 * Registers OpenTelemetry for a program that has none yet: providers, context by `AsyncLocalStorage`, OTLP over HTTP.
 *
 * Honours the standard `OTEL_*` variables. With `OTEL_SDK_DISABLED=true` nothing is registered.
 *
 * @throws TracingError `ERR_INVALID_OPTION`; `ERR_PROVIDER_REGISTERED` where another provider is registered.
 * @example
 * ```ts
 * const telemetry = setupTracing({ serviceName: "support", consoleTree: true });
 * // … run agents with plugins: [tracing()] …
 * await telemetry.shutdown();
 * ```
 */
export function setupTracing(options: SetupOptions = {}): TracingSetup {
  const environment = readEnvironment(process.env);
  if (environment.disabled) {
    return { provider: new NodeTracerProvider(), meterProvider: undefined, flush: nothing, shutdown: nothing };
  }
  if (tracerSource()() !== undefined) {
    throw new TracingError(
      "ERR_PROVIDER_REGISTERED",
      "setupTracing(): a tracer provider is registered already. tracing() uses it as it is; add exporters there, wrapped in redactingExporter() where you have a redactor.",
    );
  }
  const warnings = new Warnings(options.warn ?? console.warn);
  const resource = resourceOf(options.serviceName, options.serviceVersion);
  const provider = new NodeTracerProvider({
    resource,
    idGenerator: compensatingIdGenerator(),
    spanProcessors: processorsOf(options, environment, warnings),
    ...(options.sampler && { sampler: options.sampler }),
  });
  const meterProvider = startMetrics(options.metrics, options, resource, environment, warnings);
  provider.register(propagatorOf(environment, warnings));
  const stopLogging = logDiagnostics(environment.logLevel, secretsFor(options, environment));

  // Spans first: where nobody answers, it is they that people are told of.
  const flush = async (): Promise<void> => {
    await provider.forceFlush();
    await meterProvider?.forceFlush();
  };
  const stopFlushing = options.flushOnExit === false ? undefined : flushOnExit(flush);
  return {
    provider,
    meterProvider,
    flush,
    async shutdown() {
      stopFlushing?.();
      await provider.shutdown();
      trace.disable();
      context.disable();
      propagation.disable();
      if (meterProvider !== undefined) {
        metrics.disable();
        await meterProvider.shutdown();
      }
      stopLogging();
    },
  };
}

const nothing = async (): Promise<void> => {};

function processorsOf(options: SetupOptions, environment: Environment, warnings: Warnings): SpanProcessor[] {
  const { redactor } = options;
  const exit = { ...(options.exempt && { exempt: options.exempt }) };
  const batch = (exporter: SpanExporter): SpanProcessor =>
    new BatchSpanProcessor(redactor === undefined ? exporter : redactingExporter(exporter, redactor, exit));
  const redacted = (processor: SpanProcessor): SpanProcessor =>
    redactor === undefined ? processor : redactingProcessor(processor, redactor, exit);

  const processors = [...(options.processors ?? []).map(redacted), ...(options.exporters ?? []).map(batch)];
  const otlp = spanExporter(options, environment, warnings);
  if (otlp !== undefined) processors.push(batch(otlp));
  const tree = options.consoleTree ?? environment.tracesExporters?.includes("console") ?? false;
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
    [endpoint, environment.tracesEndpoint, environment.metricsEndpoint],
    [...Object.values(headers), ...environment.headers],
  );
