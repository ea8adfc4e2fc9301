import { TracingError } from "../../errors.js";
import type { Warnings } from "../warnings.js";

/** The encoding of OTLP. Both are sent over HTTP. */
export type OtlpProtocol = "http/json" | "http/protobuf";

const isSupported = (protocol: string): protocol is OtlpProtocol =>
  protocol === "http/json" || protocol === "http/protobuf";

/** The protocol of a signal. */
interface Chosen {
  readonly protocol: OtlpProtocol;
  /** True if neither the options nor the environment select the protocol, so that another may be used. */
  readonly byDefault: boolean;
}

/**
 * Returns the protocol of a signal from the options, otherwise from the standard variable, otherwise JSON.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function protocolFor(
  option: OtlpProtocol | undefined,
  fromEnvironment: string | undefined,
  warnings: Warnings,
): Chosen {
  if (option !== undefined) {
    if (isSupported(option)) return { protocol: option, byDefault: false };
    throw new TracingError(
      "ERR_TRACING_INVALID_OPTION",
      'setupTracing({ protocol }): use "http/json" or "http/protobuf".',
    );
  }
  if (fromEnvironment === undefined) return { protocol: "http/json", byDefault: true };
  if (isSupported(fromEnvironment)) return { protocol: fromEnvironment, byDefault: false };
  warnings.once(
    fromEnvironment === "grpc"
      ? "OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but http/json is sent: use the port for HTTP, often 4318."
      : 'OTEL_EXPORTER_OTLP_PROTOCOL: of its values, "http/json" and "http/protobuf" are spoken. What is sent is http/json.',
    "protocol",
  );
  return { protocol: "http/json", byDefault: true };
}
