import { otlpHeaders } from "@suite/kit/otlp";

/**
 * Reads headers from the environment (`OTEL_EXPORTER_OTLP_LOGS_HEADERS`, otherwise `OTEL_EXPORTER_OTLP_HEADERS`). Every
 * user of the machine can see a command line.
 */
export function headersOfEnvironment(): Record<string, string> {
  const { OTEL_EXPORTER_OTLP_LOGS_HEADERS, OTEL_EXPORTER_OTLP_HEADERS } = process.env;
  return otlpHeaders(OTEL_EXPORTER_OTLP_LOGS_HEADERS ?? OTEL_EXPORTER_OTLP_HEADERS);
}
