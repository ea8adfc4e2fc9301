/** The signals of OTLP, named like the last part of an endpoint's path. */
export type OtlpSignal = "traces" | "metrics" | "logs";

/** Codes of network errors, with the likely cause. */
const NETWORK: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "the host name does not resolve"],
  [/^ECONNREFUSED$/, "nothing listens there"],
  [
    /CERT|UNABLE_TO_|SELF_SIGNED/,
    "its certificate is not trusted, or is for another host (OTEL_EXPORTER_OTLP_CERTIFICATE)",
  ],
  [/^(?:EPROTO|ERR_SSL_.*)$/, "it does not use TLS: use http instead of https?"],
  [
    /^(?:HPE_.*|ECONNRESET)$/,
    "it does not answer with HTTP 1.1: is this a gRPC port (4317) or a TLS port? OTLP over HTTP uses 4318",
  ],
];

/**
 * Returns the reason why an OTLP receiver over HTTP rejected the data, from its status or the network error's code.
 * Returns `undefined` for an unknown code.
 */
export function otlpFailure(code: string | number): string | undefined {
  if (typeof code === "string") return NETWORK.find(([codes]) => codes.test(code))?.[1];
  if (code === 401 || code === 403) return `it returns ${code}: it requires other headers (OTEL_EXPORTER_OTLP_HEADERS)`;
  if (code === 404 || code === 405) return `it returns ${code}: this path does not accept OTLP`;
  if (code === 415) {
    return "it returns 415: it does not accept this encoding. For protobuf install @opentelemetry/exporter-trace-otlp-proto, or set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf";
  }
  return `it answers ${code}`;
}

/** Parses an http or https address. Returns `undefined` for anything else. */
export function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/**
 * Returns the address for `signal` from the address of a collector or one of its signals. Returns `undefined` for
 * anything but http and https.
 */
export function otlpUrl(address: string, signal: OtlpSignal): URL | undefined {
  const url = httpUrl(address);
  if (url === undefined) return undefined;
  const base = url.pathname.replace(/\/+$/, "").replace(/\/v1\/(?:traces|metrics|logs)$/, "");
  url.pathname = `${base}/v1/${signal}`;
  return url;
}

/** Parses headers in the format of `OTEL_EXPORTER_OTLP_HEADERS`: `name=value`, percent-encoded, separated by commas. */
export const otlpHeaders = (list = ""): Record<string, string> =>
  Object.fromEntries(
    list
      .split(",")
      .map((pair) => pair.trim().split("="))
      .filter(([name]) => name !== "")
      .map(([name = "", ...value]) => [name.trim(), decoded(value.join("=").trim())]),
  );

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
