import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import { survivingCrash } from "../crash/crash.js";
import type { Environment } from "../environment.js";
import { peer } from "../peer.js";
import type { Warnings } from "../warnings.js";
import { type Endpoint, endpointFromEnvironment, endpointOf, type Signal } from "./endpoint.js";
import { type OtlpProtocol, protocolFor } from "./protocol.js";
import { type Exporter, reportResults } from "./results.js";

/** The destination of a signal, as code says, and what is sent along. */
interface Destination {
  readonly endpoint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly protocol?: OtlpProtocol | undefined;
}

/** The way out of this process: the same for all signals. */
export interface WayOut {
  readonly destination: Destination;
  readonly environment: Environment;
  readonly warnings: Warnings;
}

/**
 * The endpoint of a signal by code, else by the standard variables; undefined where neither names a place.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function endpointFor(signal: Signal, { destination, environment, warnings }: WayOut): Endpoint | undefined {
  if (destination.endpoint !== undefined) return endpointOf(destination.endpoint, signal);
  const { endpoints, exporters } = environment;
  const named = endpoints[signal];
  const asked = exporters[signal];
  if (asked !== undefined ? !asked.includes("otlp") : named === undefined) return undefined;
  const found = endpointFromEnvironment(named);
  if (found === undefined) {
    warnings.once("OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address. Nothing is sent.", "no address");
  }
  return found;
}

/** The options of an exporter: of the environment's address, headers, timeout and certificates it reads itself. */
interface ExporterOptions {
  url?: string;
  headers?: Record<string, string>;
}

type ExporterClass<E> = new (options: ExporterOptions) => E;

/** The exporters of one signal; undefined where one is not installed. */
export interface ExporterClasses<E> {
  json(): ExporterClass<E> | undefined;
  protobuf(): ExporterClass<E> | undefined;
}

/** The exporter of a signal, in the protocol that is asked for; undefined where none is installed. It tells when it fails. */
export function exporterFor<Batch, E extends Exporter<Batch>>(
  signal: Signal,
  endpoint: Endpoint,
  way: WayOut,
  classes: ExporterClasses<E>,
): E | undefined {
  const { destination, environment, warnings } = way;
  const asked = protocolFor(destination.protocol, environment.protocols[signal], warnings);
  const protobuf = asked === "http/protobuf" ? classes.protobuf() : undefined;
  const Found = protobuf ?? classes.json();
  if (Found === undefined) return undefined;
  if (asked === "http/protobuf" && protobuf === undefined) {
    warnings.once(
      "OTLP as protobuf is asked for, and not all of @opentelemetry/exporter-{trace,metrics,logs}-otlp-proto are installed: where one is missing, JSON is sent.",
      "no protobuf",
    );
  }
  warnings.inTheClear(endpoint);
  const exporter = new Found(optionsOf(endpoint, way));
  return reportResults(exporter, {
    arrived: () => warnings.arrived(signal),
    refused: (items) => warnings.refused(signal, endpoint, items),
    failed: (error) => warnings.unreachable(signal, endpoint, error),
  });
}

function optionsOf({ url }: Endpoint, { destination: { headers } }: WayOut): ExporterOptions {
  return { ...(url !== undefined && { url }), ...(headers !== undefined && { headers: { ...headers } }) };
}

const JSON_EXPORTER = "@opentelemetry/exporter-trace-otlp-http";
const PROTOBUF = "@opentelemetry/exporter-trace-otlp-proto";

/** Spans by OTLP over HTTP, where there is somewhere to send them to. */
export function spanExporter(way: WayOut): SpanExporter | undefined {
  const endpoint = endpointFor("traces", way);
  if (endpoint === undefined) return undefined;
  const exporter = exporterFor<Parameters<SpanExporter["export"]>[0], SpanExporter>("traces", endpoint, way, {
    json: () => OTLPTraceExporter,
    protobuf: () => peer<typeof import("@opentelemetry/exporter-trace-otlp-proto")>(PROTOBUF)?.OTLPTraceExporter,
  });
  const module = exporter instanceof OTLPTraceExporter ? JSON_EXPORTER : PROTOBUF;
  return exporter && survivingCrash(exporter, { module, options: optionsOf(endpoint, way) });
}
