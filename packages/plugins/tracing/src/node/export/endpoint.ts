import { httpUrl, type OtlpSignal, otlpUrl } from "@suite/kit/otlp";
import { TracingError } from "../../errors.js";
import { isLoopback } from "../../loopback.js";

/** The address that a signal is sent to. */
export interface Endpoint {
  readonly url: string;
  /** The address without user, password and query, which may be credentials. */
  readonly shown: string;
  /** True if others on the network can read the transmitted data. */
  readonly inTheClear: boolean;
}

export type Signal = OtlpSignal;

/** The specification's address of a collector, used if an exporter is requested without an address. */
const DEFAULT = "http://localhost:4318";

/**
 * Returns the endpoint of a signal for a collector's address, which may already end with the path of a signal.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function endpointOf(address: string, signal: Signal): Endpoint {
  const url = otlpUrl(address, signal);
  if (url === undefined) {
    throw new TracingError(
      "ERR_TRACING_INVALID_OPTION",
      'setupTracing({ endpoint }): not an http or https address. It is that of a collector, such as "http://localhost:4318".',
    );
  }
  return described(url);
}

/**
 * Returns the endpoint of a signal from the environment. Returns `undefined` if the variable is not an http or https
 * address.
 *
 * @param signalUrl the complete address of the signal
 * @param common the address of the collector, used if `signalUrl` is not set
 */
export function endpointFromEnvironment(
  signal: Signal,
  signalUrl: string | undefined,
  common: string = DEFAULT,
): Endpoint | undefined {
  const url = signalUrl === undefined ? otlpUrl(common, signal) : httpUrl(signalUrl);
  return url && described(url);
}

const described = ({ href, protocol, hostname, origin, pathname }: URL): Endpoint => ({
  url: href,
  shown: `${origin}${pathname}`,
  inTheClear: protocol === "http:" && !isLoopback(hostname),
});
