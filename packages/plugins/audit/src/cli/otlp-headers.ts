import { otlpHeaders } from "@suite/core/otlp";

/**
 * Headers as OpenTelemetry has them in the environment (`OTEL_EXPORTER_OTLP_LOGS_HEADERS`, or else
 * `OTEL_EXPORTER_OTLP_HEADERS`): what stands on a command line is seen by everybody on the machine.
 */
export function headersOfEnvironment(): Record<string, string> {
  const { OTEL_EXPORTER_OTLP_LOGS_HEADERS, OTEL_EXPORTER_OTLP_HEADERS } = process.env;
  return otlpHeaders(OTEL_EXPORTER_OTLP_LOGS_HEADERS ?? OTEL_EXPORTER_OTLP_HEADERS);
}
