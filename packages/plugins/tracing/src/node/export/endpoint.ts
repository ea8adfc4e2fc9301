import { httpUrl, type OtlpSignal, otlpUrl } from "@suite/core/otlp";
import { TracingError } from "../../errors.js";
import { isLoopback } from "../../loopback.js";

/** The address that a signal goes to. */
export interface Endpoint {
  /** The address where it was given in code: the exporter is told. One from the environment it reads by itself. */
  readonly url?: string;
  /** The address without user, password and query: those may be credentials. */
  readonly shown: string;
  /** Others on the way could read what is sent there. */
  readonly inTheClear: boolean;
}

export type Signal = OtlpSignal;

/** The specification's address, where an exporter is asked for and none is named. */
const DEFAULT = "http://localhost:4318";

/**
 * The address of a collector, or of one of its signals, as that of `signal`.
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
  return { url: url.href, ...described(url) };
}

/** The endpoint from the environment: undefined for what is no address. */
export function endpointFromEnvironment(address: string = DEFAULT): Endpoint | undefined {
  const url = httpUrl(address);
  return url && described(url);
}

const described = ({ protocol, hostname, origin, pathname }: URL) => ({
  shown: `${origin}${pathname}`,
  inTheClear: protocol === "http:" && !isLoopback(hostname),
});
