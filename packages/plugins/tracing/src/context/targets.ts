import type { PropagationTarget } from "@suite/core/propagation";
import { variable } from "../environment.js";
import { TracingError } from "../errors.js";
import { isLoopback } from "../loopback.js";

/** Hosts that receive the trace, or a function that decides for each target. */
export type PropagateTo = readonly string[] | ((target: PropagationTarget) => boolean);

/**
 * Returns a filter for the targets that receive the trace. Without a function these are the listed hosts and MCP
 * servers on this machine. `OTEL_PROPAGATORS=none` excludes the MCP servers.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function targetFilter(option: PropagateTo = []): (target: PropagationTarget) => boolean {
  // Only `true` is accepted: an async function returns a promise, which is truthy.
  if (typeof option === "function") return (target) => option(target) === true;
  if (!Array.isArray(option)) throw refused("use a list of hosts, or a function");
  const hosts = option.map(hostRule);
  // Hosts in code take precedence over the operator's variable.
  const local = variable("OTEL_PROPAGATORS") !== "none";
  return (target) => {
    if (target.kind === "mcp" && target.transport === "stdio") return local;
    const localhost = target.kind === "mcp" && local;
    if (hosts.length === 0 && !localhost) return false;
    const url = httpUrl(target.url);
    if (url === undefined) return false;
    return (localhost && isLoopback(url.hostname)) || hosts.some((matches) => matches(url));
  };
}

/**
 * Returns a function that checks whether a URL leads to the host of an entry. Hosts are compared after URL parsing,
 * never as substrings.
 */
function hostRule(entry: unknown, index: number): (url: URL) => boolean {
  const below = typeof entry === "string" && entry.startsWith("*.");
  const name = below ? entry.slice(2) : entry;
  // A URL omits only the default port of its scheme, so both schemes are tried.
  const [http, https] = [`http://${name}`, `https://${name}`].map(httpUrl);
  if (typeof name !== "string" || /[\s/\\?#@*]/.test(name) || http === undefined || https === undefined) {
    throw refused(
      `entry ${index} is not a host. Use "api.example.com", "api.example.com:8443" or "*.example.com"; or a function for anything else`,
    );
  }
  const { hostname } = http;
  const port = http.port || https.port;
  return (url) =>
    (below ? url.hostname.endsWith(`.${hostname}`) : url.hostname === hostname) &&
    (port === "" || port === portOf(url));
}

function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");

const refused = (what: string): TracingError =>
  new TracingError("ERR_TRACING_INVALID_OPTION", `tracing({ propagateTo }): ${what}.`);
