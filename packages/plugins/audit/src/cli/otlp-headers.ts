/**
 * Headers as OpenTelemetry has them in the environment (`OTEL_EXPORTER_OTLP_LOGS_HEADERS`, or else
 * `OTEL_EXPORTER_OTLP_HEADERS`): what stands on a command line is seen by everybody on the machine.
 */
export function headersOfEnvironment(): Record<string, string> {
  const { OTEL_EXPORTER_OTLP_LOGS_HEADERS, OTEL_EXPORTER_OTLP_HEADERS } = process.env;
  const pairs = (OTEL_EXPORTER_OTLP_LOGS_HEADERS ?? OTEL_EXPORTER_OTLP_HEADERS ?? "").split(",");
  return Object.fromEntries(
    pairs
      .map((pair) => pair.trim().split("="))
      .filter(([name]) => name !== "")
      .map(([name = "", ...value]) => [name.trim(), decoded(value.join("=").trim())]),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
