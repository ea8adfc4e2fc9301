import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import { type Endpoint, endpointFromEnvironment, endpointOf, type Signal } from "./endpoint.js";
import type { Environment } from "./environment.js";
import { tellingFailure, type Warnings } from "./warnings.js";

/** Where a signal goes, as code says, and what is sent along. */
export interface Destination {
  readonly endpoint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Where a signal goes by code, else by the standard variables; undefined where neither names a place.
 *
 * @throws TracingError `ERR_INVALID_OPTION`
 */
export function endpointFor(
  signal: Signal,
  { endpoint }: Destination,
  environment: Environment,
  warnings: Warnings,
): Endpoint | undefined {
  if (endpoint !== undefined) return endpointOf(endpoint, signal);
  const { [`${signal}Endpoint` as const]: named, [`${signal}Exporters` as const]: exporters } = environment;
  if (exporters !== undefined ? !exporters.includes("otlp") : named === undefined) return undefined;
  const found = endpointFromEnvironment(named);
  if (found === undefined) {
    warnings.once("OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address. Nothing is sent.", "no address");
  }
  return found;
}

/** What an exporter is made with: of the environment's address, headers, timeout and certificates it reads itself. */
export const exporterOptions = ({ url }: Endpoint, { headers }: Destination) => ({
  ...(url !== undefined && { url }),
  ...(headers !== undefined && { headers: { ...headers } }),
});

/** OTLP over HTTP as JSON, where there is somewhere to send spans to. */
export function spanExporter(
  destination: Destination,
  environment: Environment,
  warnings: Warnings,
): SpanExporter | undefined {
  const endpoint = endpointFor("traces", destination, environment, warnings);
  if (endpoint === undefined) return undefined;
  warnings.inTheClear(endpoint);
  if (environment.protocol === "grpc") {
    warnings.once(
      "OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but what is sent is http/json: use the port for HTTP, often 4318.",
    );
  }
  const exporter = new OTLPTraceExporter(exporterOptions(endpoint, destination));
  return tellingFailure(exporter, () => warnings.unreachable("spans", endpoint));
}
