import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import { survivingCrash } from "../crash/crash.js";
import type { Environment } from "../environment.js";
import { peer } from "../peer.js";
import type { Warnings } from "../warnings.js";
import { type Endpoint, endpointFromEnvironment, endpointOf, type Signal } from "./endpoint.js";
import { fallBackToProtobuf } from "./fallback.js";
import { type OtlpProtocol, protocolFor } from "./protocol.js";
import { type Exporter, type Results, reportRefused, reportResults } from "./results.js";
import { serializedBy } from "./serialized.js";

/** The destination and headers from the options. */
interface Destination {
  readonly endpoint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly protocol?: OtlpProtocol | undefined;
}

/** The export settings that all signals share. */
export interface WayOut {
  readonly destination: Destination;
  readonly environment: Environment;
  readonly warnings: Warnings;
}

/**
 * Returns the endpoint of a signal from the options, otherwise from the standard variables. Returns `undefined` if
 * neither contains one.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function endpointFor(signal: Signal, { destination, environment, warnings }: WayOut): Endpoint | undefined {
  if (destination.endpoint !== undefined) return endpointOf(destination.endpoint, signal);
  const { endpoint, endpoints, exporters } = environment;
  const requested = exporters[signal];
  const named = endpoints[signal] ?? endpoint;
  if (requested !== undefined ? !requested.includes("otlp") : named === undefined) return undefined;
  const found = endpointFromEnvironment(signal, endpoints[signal], endpoint);
  if (found === undefined) {
    warnings.once("OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address. Nothing is sent.", "no address");
  }
  return found;
}

/** The options of an exporter. It reads headers, timeout and certificates from the environment itself. */
interface ExporterOptions {
  url: string;
  headers?: Record<string, string>;
}

type ExporterClass<E> = new (options: ExporterOptions) => E;

/** The exporters of one signal; `undefined` for one that is not installed. */
export interface ExporterClasses<E> {
  json(): ExporterClass<E> | undefined;
  protobuf(): ExporterClass<E> | undefined;
}

/** An exporter, and a function that returns the exporter in use after a receiver has refused JSON. */
interface Sender<E> {
  readonly exporter: E;
  inUse(): E;
}

/** Creates the exporter of a signal, which reports failures as warnings. Returns `undefined` if none is installed. */
export function exporterFor<Batch, E extends Exporter<Batch>>(
  signal: Signal,
  endpoint: Endpoint,
  way: WayOut,
  classes: ExporterClasses<E>,
): Sender<E> | undefined {
  const { destination, environment, warnings } = way;
  const { protocol, byDefault } = protocolFor(destination.protocol, environment.protocols[signal], warnings);
  const protobuf = protocol === "http/protobuf" ? classes.protobuf() : undefined;
  const Found = protobuf ?? classes.json() ?? (byDefault ? classes.protobuf() : undefined);
  if (Found === undefined) return undefined;
  if (protocol === "http/protobuf" && protobuf === undefined) {
    warnings.once(
      "OTLP as protobuf is configured, but not all of @opentelemetry/exporter-{trace,metrics,logs}-otlp-proto are installed: if one is missing, JSON is sent.",
      "no protobuf",
    );
  }
  warnings.inTheClear(endpoint);
  const exporter = new Found(optionsOf(endpoint, way));
  const results: Results = {
    arrived: () => warnings.arrived(signal),
    refused: (items) => warnings.refused(signal, endpoint, items),
    failed: (error) => warnings.unreachable(signal, endpoint, error),
  };
  const other = (): E | undefined => {
    const Other = classes.protobuf();
    if (Other === undefined) return undefined;
    const exporter = new Other(optionsOf(endpoint, way));
    reportRefused(exporter, results);
    return exporter;
  };
  const inUse = byDefault ? fallBackToProtobuf<Batch, E>(exporter, other) : () => exporter;
  return { exporter: reportResults(exporter, results), inUse };
}

function optionsOf({ url }: Endpoint, { destination: { headers } }: WayOut): ExporterOptions {
  return { url, ...(headers !== undefined && { headers: { ...headers } }) };
}

type Protobuf = typeof import("@opentelemetry/exporter-trace-otlp-proto");

/** Creates the exporter of spans. Returns `undefined` if there is no endpoint. */
export function spanExporter(way: WayOut): SpanExporter | undefined {
  const endpoint = endpointFor("traces", way);
  if (endpoint === undefined) return undefined;
  const sender = exporterFor<Parameters<SpanExporter["export"]>[0], SpanExporter>("traces", endpoint, way, {
    json: () => OTLPTraceExporter,
    protobuf: () => peer<Protobuf>("@opentelemetry/exporter-trace-otlp-proto")?.OTLPTraceExporter,
  });
  if (sender === undefined) return undefined;
  return survivingCrash(sender.exporter, (spans) => {
    const exporter = sender.inUse();
    const type = exporter instanceof OTLPTraceExporter ? "application/json" : "application/x-protobuf";
    const body = serializedBy(exporter, spans);
    if (body === undefined) {
      way.warnings.once(
        "spans that ended just before the crash are lost: this version of the exporter is not supported.",
      );
    }
    return body && { url: endpoint.url, headers: { ...way.destination.headers, "content-type": type }, body };
  });
}
