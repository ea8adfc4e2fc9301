import { context, propagation, trace } from "@opentelemetry/api";
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
import { otlpExporter } from "./otlp.js";
import { redactingExporter, redactingProcessor } from "./redacting-exporter.js";
import { resourceOf } from "./resource.js";
import { warningExporter } from "./warning-exporter.js";

/** How this process sends its spans. */
export interface SetupOptions {
  /** `service.name`: what a backend lists it under. Default `OTEL_SERVICE_NAME`. */
  readonly serviceName?: string;
  readonly serviceVersion?: string;
  /**
   * A collector's address for OTLP over HTTP, such as `http://localhost:4318`. Default: the standard variables
   * `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` and `OTEL_EXPORTER_OTLP_ENDPOINT`. With neither, nothing is sent.
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
  readonly sampler?: Sampler;
  /** Is told, once, when spans do not arrive. Default `console.warn`. */
  readonly warn?: (message: string) => void;
}

/** The tracing of this process. */
export interface TracingSetup {
  readonly provider: NodeTracerProvider;
  /** Sends what has ended. Await it before a serverless handler returns. */
  flush(): Promise<void>;
  /** Sends what has ended and stops tracing. */
  shutdown(): Promise<void>;
}

/**
 * Registers OpenTelemetry for a program that has none yet: a provider, context by `AsyncLocalStorage`, OTLP over HTTP.
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
  if (tracerSource()() !== undefined) {
    throw new TracingError(
      "ERR_PROVIDER_REGISTERED",
      "setupTracing(): a tracer provider is registered already. tracing() uses it as it is; add exporters there, wrapped in redactingExporter() where you have a redactor.",
    );
  }
  const provider = new NodeTracerProvider({
    resource: resourceOf(options.serviceName, options.serviceVersion),
    spanProcessors: processorsOf(options),
    ...(options.sampler && { sampler: options.sampler }),
  });
  provider.register();
  return {
    provider,
    flush: () => provider.forceFlush(),
    async shutdown() {
      await provider.shutdown();
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

function processorsOf(options: SetupOptions): SpanProcessor[] {
  const { redactor, endpoint, headers, warn = console.warn } = options;
  const exit = { ...(options.exempt && { exempt: options.exempt }) };
  const batch = (exporter: SpanExporter): SpanProcessor =>
    new BatchSpanProcessor(redactor === undefined ? exporter : redactingExporter(exporter, redactor, exit));
  const redacted = (processor: SpanProcessor): SpanProcessor =>
    redactor === undefined ? processor : redactingProcessor(processor, redactor, exit);

  const processors = [...(options.processors ?? []).map(redacted), ...(options.exporters ?? []).map(batch)];
  const otlp = otlpExporter(endpoint, headers);
  if (otlp !== undefined) processors.push(batch(warningExporter(otlp.exporter, otlp.shownUrl, warn)));
  const tree = options.consoleTree ?? false;
  if (tree !== false) processors.push(redacted(consoleTree(tree === true ? {} : tree)));
  return processors;
}
