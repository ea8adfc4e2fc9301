import type { PropagationTarget } from "@suite/core";
import { variable } from "../environment.js";
import { TracingError } from "../errors.js";
import { isLoopback } from "../loopback.js";

/** Hosts that are told, or a function that decides alone. */
export type PropagateTo = readonly string[] | ((target: PropagationTarget) => boolean);

/**
 * The targets that are told the trace. Without a function: the hosts that are listed, and MCP servers of this machine,
 * these unless `OTEL_PROPAGATORS=none`.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function targetFilter(asked: PropagateTo = []): (target: PropagationTarget) => boolean {
  // What is not exactly true is no yes: an async function gives a promise.
  if (typeof asked === "function") return (target) => asked(target) === true;
  if (!Array.isArray(asked)) throw refused("use a list of hosts, or a function");
  const hosts = asked.map(hostRule);
  // Hosts that code names come before what the operator says.
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

/** Whether a URL leads to the host of an entry. Hosts are compared as URLs have them, never as parts of a text. */
function hostRule(entry: unknown, index: number): (url: URL) => boolean {
  const below = typeof entry === "string" && entry.startsWith("*.");
  const name = below ? entry.slice(2) : entry;
  // Each scheme leaves out its default port, and no other.
  const [http, https] = [`http://${name}`, `https://${name}`].map(httpUrl);
  if (typeof name !== "string" || /[\s/\\?#@*]/.test(name) || http === undefined || https === undefined) {
    throw refused(
      `entry ${index} is no host. Use "api.example.com", "api.example.com:8443" or "*.example.com"; for anything else a function`,
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
