import { causeType, errorType } from "../../attributes/errors.js";

/** Codes of network errors, by what a person has to change. */
const NETWORK: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "there is no host of that name"],
  [/^ECONNREFUSED$/, "nothing listens there"],
  [
    /CERT|UNABLE_TO_|SELF_SIGNED/,
    "its certificate is not trusted, or not that host's (OTEL_EXPORTER_OTLP_CERTIFICATE)",
  ],
  [/^(?:EPROTO|ERR_SSL_.*)$/, "it does not speak TLS: http in place of https?"],
  [
    /^(?:HPE_.*|ECONNRESET)$/,
    "it does not answer as HTTP 1.1: a port of gRPC (4317) or of TLS? OTLP over HTTP is 4318",
  ],
];

/** The reason why nothing was taken, in our words; undefined where that is not known. Never a text of the server's. */
export function reasonOf(error: unknown): string | undefined {
  const status: unknown = Object(error).code;
  if (typeof status === "number") {
    if (status === 401 || status === 403)
      return `it answers ${status}: it wants other headers (OTEL_EXPORTER_OTLP_HEADERS)`;
    if (status === 404 || status === 405) return `it answers ${status}: no OTLP is taken at that path`;
    return `it answers ${status}`;
  }
  const code = causeType(error) ?? errorType(error);
  return NETWORK.find(([codes]) => codes.test(code))?.[1];
}
