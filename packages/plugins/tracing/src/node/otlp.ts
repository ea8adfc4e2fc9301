import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import { TracingError } from "../errors.js";

const TRACES_PATH = "v1/traces";

/** Where traces go by the standard variables; undefined where none is set. */
const endpointFromEnvironment = (env: NodeJS.ProcessEnv): string | undefined => {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, OTEL_EXPORTER_OTLP_ENDPOINT: all } = env;
  return (traces?.trim() || all?.trim()) === "" ? undefined : traces?.trim() || all?.trim();
};

/** An exporter, and where it sends to, without credentials. */
export interface Otlp {
  readonly exporter: SpanExporter;
  readonly shownUrl: string;
}

/**
 * OTLP over HTTP as JSON, where code or the standard variables name an endpoint; undefined elsewhere.
 *
 * @throws TracingError `ERR_INVALID_OPTION`
 */
export function otlpExporter(
  endpoint: string | undefined,
  headers: Readonly<Record<string, string>> | undefined,
): Otlp | undefined {
  const options = headers === undefined ? {} : { headers: { ...headers } };
  if (endpoint !== undefined) {
    const url = tracesUrl(endpoint);
    return { exporter: new OTLPTraceExporter({ ...options, url: url.href }), shownUrl: shown(url) };
  }
  const named = endpointFromEnvironment(process.env);
  // The exporter reads the variables itself; here it only matters whether they are set.
  return named === undefined ? undefined : { exporter: new OTLPTraceExporter(options), shownUrl: shownOf(named) };
}

/** The endpoint of a collector, or of its traces, as the address of its traces. */
function tracesUrl(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new TracingError(
      "ERR_INVALID_OPTION",
      'setupTracing({ endpoint }): not an http or https address. It is that of a collector, such as "http://localhost:4318".',
    );
  }
  if (!url.pathname.endsWith(`/${TRACES_PATH}`)) url.pathname = `${url.pathname.replace(/\/+$/, "")}/${TRACES_PATH}`;
  return url;
}

/** Without user, password and query: those may be credentials. */
const shown = ({ origin, pathname }: URL): string => `${origin}${pathname}`;
const shownOf = (endpoint: string): string =>
  URL.canParse(endpoint) ? shown(new URL(endpoint)) : "the address in OTEL_EXPORTER_OTLP_ENDPOINT";
